// The dialog with a client secret.

import { ShownOnce } from '../../frame/ShownOnce.tsx'
import { developerWords as words } from '../../words/developers.ts'

export const ClientSecret = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <ShownOnce
    title={words.clientSecret}
    why={words.clientSecretWhy}
    value={secret}
    copy={words.copyClientSecret}
    onDone={onDone}
  />
)
