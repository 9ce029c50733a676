// Every kind of deed. A new kind is a file in `deeds/` and a line here.

import type { DeedKind } from './deed.ts'
import { announceKinds } from './deeds/announce.ts'
import { backTestKinds } from './deeds/back-tests.ts'
import { changeKinds } from './deeds/changes.ts'
import { countKinds } from './deeds/count.ts'
import { longCountKinds } from './deeds/counts.ts'
import { deactivationKinds } from './deeds/deactivate.ts'
import { extraKinds } from './deeds/extras.ts'
import { floorKinds } from './deeds/floor.ts'
import { descriptionKinds } from './deeds/late-serials.ts'
import { moneyKinds } from './deeds/money.ts'
import { manyKinds } from './deeds/move-many.ts'
import { statusKinds } from './deeds/move-status.ts'
import { noteKinds } from './deeds/notes.ts'
import { pickKinds } from './deeds/pick.ts'
import { pickfaceKinds } from './deeds/pickfaces.ts'
import { printKinds } from './deeds/prints.ts'
import { receiveKinds } from './deeds/receive.ts'
import { returnKinds } from './deeds/return.ts'
import { runKinds } from './deeds/runs.ts'
import { scheduleKinds } from './deeds/schedules.ts'
import { stageKinds } from './deeds/stage.ts'
import { trackKinds } from './deeds/track.ts'
import { unreceiveKinds } from './deeds/unreceive.ts'
import { waveKinds } from './deeds/wave.ts'
import { zoneKinds } from './deeds/zones.ts'

export const deedKinds: readonly DeedKind[] = [
  ...announceKinds,
  ...receiveKinds,
  ...unreceiveKinds,
  ...pickKinds,
  ...statusKinds,
  ...descriptionKinds,
  ...returnKinds,
  ...stageKinds,
  ...floorKinds,
  ...countKinds,
  ...longCountKinds,
  ...pickfaceKinds,
  ...changeKinds,
  ...moneyKinds,
  ...scheduleKinds,
  ...runKinds,
  ...waveKinds,
  ...manyKinds,
  ...deactivationKinds,
  ...zoneKinds,
  ...noteKinds,
  ...extraKinds,
  ...backTestKinds,
  ...printKinds,
  ...trackKinds,
]
