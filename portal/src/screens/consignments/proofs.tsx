// Region Proof of delivery, with the form that adds one: who signed, when, and a photo or a scan.

import { useState } from 'react'
import { ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { FileField } from '../../../../ui/FileField.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { fromField, now, toField } from '../../../../ui/time.ts'
import { words as uiWords } from '../../../../ui/words.ts'
import { readFile, send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { faultOfFile, uploadOf } from '../../files.ts'
import { save } from '../../frame/export-rows.ts'
import { hasScope, kindOf, type Me, useMe } from '../../me.ts'
import { smallerPhoto } from '../../photo.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'
import { download } from './documents.tsx'
import { type Picture, PictureDialog } from './picture-dialog.tsx'

/** Whether the person may add a proof: drivers prove what they deliver, and clients only read it. */
export const mayProve = (me: Me): boolean => hasScope(me, 'consignment') && kindOf(me) !== 'client'

export function Proofs({
  consignment: { id: consignmentId, pods, status },
  isAdding,
  setAdding,
}: {
  consignment: Consignment
  isAdding: boolean
  setAdding: (isAdding: boolean) => void
}) {
  const me = useMe()
  const [shown, setShown] = useState<Picture & { title: string }>()
  // For a driver it is the main act of the page.
  const mayAdd = mayProve(me) && kindOf(me) !== 'carrier'
  const isClosed = status === ConsignmentStatus.Closed
  return (
    <Region
      heading={words.proofs}
      summary={pods.length || undefined}
      acts={
        mayAdd &&
        !isAdding && (
          <Button
            kind="quiet"
            disabledReason={isClosed ? words.nothingAfterClosing : undefined}
            onPress={() => setAdding(true)}
          >
            {words.addProof}
          </Button>
        )
      }
    >
      {isAdding && <NewProof consignmentId={consignmentId} onClose={() => setAdding(false)} />}
      {pods.length === 0 && !isAdding ? (
        <Nothing text={words.noProofs} />
      ) : (
        <ProofRows consignmentId={consignmentId} pods={pods} onShow={setShown} />
      )}
      {shown !== undefined && (
        <PictureDialog title={shown.title} picture={shown} onClose={() => setShown(undefined)} />
      )}
    </Region>
  )
}

function ProofRows({
  consignmentId,
  pods,
  onShow,
}: {
  consignmentId: string
  pods: Consignment['pods']
  onShow: (picture: Picture & { title: string }) => void
}) {
  const showFile = async (podId: string, title: string) => {
    const picture = await pictureAt(fileOf(consignmentId, podId))
    if (picture !== undefined) onShow({ ...picture, title })
  }
  return (
    <Rows>
      {pods.map(({ id, signatoryName, eventUtc }, i) => (
        <li key={id} data-id={id}>
          <span>{signatoryName == null ? words.proofs : words.signedBy(signatoryName)}</span>
          <UtcTime value={eventUtc} />
          <span className={styles.rowActs}>
            <Button
              kind="quiet"
              label={words.showProof(i + 1)}
              onPress={() => void showFile(id, words.proofNumber(i + 1))}
            >
              {words.show}
            </Button>
            <Button
              kind="quiet"
              label={words.downloadProof(i + 1)}
              onPress={() => void download(fileOf(consignmentId, id), 'proof')}
            >
              {words.download}
            </Button>
          </span>
        </li>
      ))}
    </Rows>
  )
}

const fileOf = (consignmentId: string, podId: string) =>
  `/v1/consignments/${consignmentId}/pods/${podId}/attachment-file`

/** Reads a file to be shown. One that is no picture is downloaded, and one that is not there is told. */
async function pictureAt(path: string): Promise<Picture | undefined> {
  try {
    const { blob, name = 'proof' } = await readFile(path)
    if (blob.type.startsWith('image/')) return { blob, name }
    save(blob, name)
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
  return undefined
}

/** The proof that the form says. */
const proofOf = async (signatoryName: string, time: string, file: File | undefined) => ({
  signatoryName: signatoryName.trim() || null,
  eventUtc: fromField(time) ?? null,
  attachmentFile: file === undefined ? null : await uploadOf(await smallerPhoto(file)),
})

function NewProof({ consignmentId, onClose }: { consignmentId: string; onClose: () => void }) {
  const [signatoryName, setSignatory] = useState('')
  const [time, setTime] = useState(toField(now()))
  const [file, setFile] = useState<File>()
  const [faults, setFaults] = useState(faultsOf(undefined))
  const [isPending, setPending] = useState(false)
  async function save(): Promise<void> {
    setPending(true)
    try {
      const body = await proofOf(signatoryName, time, file)
      await send('post', '/v1/consignments/{consignmentId}/pods', { path: { consignmentId }, body })
    } catch (error) {
      setPending(false)
      return setFaults(faultsOf(error))
    }
    notify({ text: words.proofSaved })
    onClose()
    await readAgain('/v1/consignments/{consignmentId}')
  }
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <Refusal reasons={faults.other === undefined ? [] : [faults.other]} />
      <TextField
        label={words.signatory}
        value={signatoryName}
        onChange={setSignatory}
        maxLength={200}
        autoFocus
        fault={faults.at('signatoryName')}
      />
      <TextField
        label={words.signedAt}
        type="datetime-local"
        value={time}
        onChange={setTime}
        fault={faults.at('eventUtc')}
      />
      <FileField
        label={words.photo}
        help={words.proofHelp}
        accept="image/*,application/pdf"
        onChange={([chosen]) => setFile(chosen)}
        fault={faultOfFile(faults, 'attachmentFile')}
      />
      <FormActs isPending={isPending} onCancel={onClose} />
    </form>
  )
}

const FormActs = ({ isPending, onCancel }: { isPending: boolean; onCancel: () => void }) => (
  <div className={styles.formActs}>
    <Button kind="main" type="submit" isPending={isPending}>
      {words.saveProof}
    </Button>
    <Button kind="quiet" onPress={onCancel}>
      {uiWords.cancel}
    </Button>
  </div>
)
