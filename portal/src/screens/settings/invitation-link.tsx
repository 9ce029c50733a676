// The dialog with the link by which somebody chooses a password. The service shows the link once and sends no
// mail, so whoever makes it passes it on.

import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { peopleWords as words } from '../../words/people.ts'

/** A link, and for whom it is. */
export interface Invitation {
  name: string
  url: string
  expiresUtc: string
}

/** Makes a link for a person. The last one ends. */
export async function invite(userId: string, name: string): Promise<Invitation> {
  const { data } = await send('post', '/v1/users/{userId}/invitation', { path: { userId } })
  return { name, ...data }
}

export function InvitationLink({
  invitation: { name, url, expiresUtc },
  onDone,
}: {
  invitation: Invitation
  onDone: () => void
}) {
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => notify({ text: words.copied }),
      () => notify({ text: words.cannotCopy, isAlert: true }),
    )
  return (
    <Dialog
      title={words.invitationLink}
      onClose={onDone}
      acts={
        <>
          <Button kind="main" onPress={() => void copy()}>
            {words.copyLink}
          </Button>
          <Button onPress={onDone}>{words.done}</Button>
        </>
      }
    >
      <TextField label={words.invitationLink} help={words.linkWhy(name, expiresUtc)} value={url} />
    </Dialog>
  )
}
