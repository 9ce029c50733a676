// Every kind of deed. A new kind is a file in `deeds/` and a line here.

import type { DeedKind } from './deed.ts'
import { announceKinds } from './deeds/announce.ts'
import { floorKinds } from './deeds/floor.ts'
import { statusKinds } from './deeds/move-status.ts'
import { pickKinds } from './deeds/pick.ts'
import { receiveKinds } from './deeds/receive.ts'
import { returnKinds } from './deeds/return.ts'
import { unreceiveKinds } from './deeds/unreceive.ts'

export const deedKinds: readonly DeedKind[] = [
  ...announceKinds,
  ...receiveKinds,
  ...unreceiveKinds,
  ...pickKinds,
  ...statusKinds,
  ...returnKinds,
  ...floorKinds,
]
