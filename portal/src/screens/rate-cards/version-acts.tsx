// The acts on a version: Save while something is changed, Approve, Copy with a raise, and under More Delete
// draft.

import { useState } from 'react'
import { RateCardVersionStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { WarningIcon } from '../../../../ui/icons.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { day } from '../../../../ui/time.ts'
import { words as uiWords } from '../../../../ui/words.ts'
import { entityTagOf, send } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { useGo } from '../../router.tsx'
import { backTestWords } from '../../words/back-tests.ts'
import { rateCardWords } from '../../words/rate-cards.ts'
import { editorWords as words } from '../../words/rate-editor.ts'
import styles from './editor.module.css'
import { NewBackTest } from './new-back-test.tsx'
import { NewVersion } from './new-version.tsx'
import { mayChangeMoney } from './rate-cards.tsx'
import { type EditorProps, useVersions } from './version.tsx'

type Act = 'backTest' | 'approve' | 'copy' | 'delete'

export function VersionActs({ card, version, draft, canEdit }: EditorProps) {
  const [act, setAct] = useState<Act>()
  const { isDirty, edited, undo } = draft
  const mayChange = mayChangeMoney(useMe())
  const isDraft = version.status === RateCardVersionStatus.Draft
  const main = isDirty ? edited.save : () => setAct('approve')
  useKeys(canEdit ? { m: main } : {})
  if (!mayChange) return null
  const unsaved = isDirty ? { disabledReason: words.saveFirst } : {}
  const close = () => setAct(undefined)
  return (
    <>
      {isDraft && (
        <Menu
          label={uiWords.more}
          groups={[
            {
              acts: [{ id: 'delete', text: words.deleteDraft, isAlert: true, onAct: () => setAct('delete') }],
            },
          ]}
        >
          <Button>{uiWords.more}</Button>
        </Menu>
      )}
      {isDirty && (
        <Button kind="quiet" onPress={undo}>
          {words.discard}
        </Button>
      )}
      <Button {...unsaved} onPress={() => setAct('copy')}>
        {words.copyWithRaise}
      </Button>
      <Button {...unsaved} onPress={() => setAct('backTest')}>
        {backTestWords.backTest}
      </Button>
      {isDraft && (
        <Button kind={isDirty ? 'plain' : 'main'} {...unsaved} onPress={() => setAct('approve')}>
          {words.approve}
        </Button>
      )}
      {isDraft && (
        <Button kind={isDirty ? 'main' : 'plain'} isDisabled={!isDirty} onPress={edited.save}>
          {words.save}
        </Button>
      )}
      {act === 'approve' && <Approve {...{ card, version }} onClose={close} />}
      {act === 'backTest' && <NewBackTest {...{ card, version }} onClose={close} />}
      {act === 'delete' && <Delete {...{ card, version }} onClose={close} />}
      {act === 'copy' && <CopyWithRaise {...{ card, version }} onClose={close} />}
    </>
  )
}

type DialogProps = Pick<EditorProps, 'card' | 'version'> & { onClose: () => void }

function CopyWithRaise({ card, version, onClose }: DialogProps) {
  return (
    <NewVersion
      act={words.copyWithRaise}
      card={card}
      versions={useVersions(card.id)}
      copyOf={version.id}
      onClose={onClose}
    />
  )
}

const Approve = ({ card, version, onClose }: DialogProps) => (
  <ActDialog
    act={words.approve}
    method="put"
    path="/v1/rate-cards/{rateCardId}/versions/{rateCardVersionId}/status"
    request={{
      path: { rateCardId: card.id, rateCardVersionId: version.id },
      body: { status: RateCardVersionStatus.Approved },
      ifMatch: entityTagOf(version),
    }}
    done={words.approved(rateCardWords.versionOf(version.number, card.name))}
    changes={['/v1/rate-cards', '/v1/consignments']}
    onClose={onClose}
  >
    {() => (
      <>
        {version.content.rates.length === 0 && (
          <p className={styles.warning}>
            <WarningIcon />
            <span>{words.approvesNothing}</span>
          </p>
        )}
        <p>{words.approveHelp(day(version.effectiveFrom))}</p>
      </>
    )}
  </ActDialog>
)

function Delete({ card, version, onClose }: DialogProps) {
  const go = useGo()
  const name = rateCardWords.versionOf(version.number, card.name)
  return (
    <Confirm
      act={words.deleteDraft}
      isAlert
      reasonsOf={reasonsOf}
      onClose={onClose}
      onConfirm={async () => {
        await send('delete', '/v1/rate-cards/{rateCardId}/versions/{rateCardVersionId}', {
          path: { rateCardId: card.id, rateCardVersionId: version.id },
        })
        notify({ text: words.deleted(name) })
        go(`/rate-cards/${card.id}`)
        await readAgain('/v1/rate-cards')
      }}
    >
      <p>{words.deleteHelp(name)}</p>
    </Confirm>
  )
}
