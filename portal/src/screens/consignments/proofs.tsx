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
import { send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { faultOfFile, uploadOf } from '../../files.ts'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'
import { download } from './documents.tsx'

export function Proofs({ consignment: { id: consignmentId, pods, status } }: { consignment: Consignment }) {
  const me = useMe()
  const [isAdding, setAdding] = useState(false)
  // Drivers prove what they deliver; clients only read it.
  const mayAdd = hasScope(me, 'consignment') && kindOf(me) !== 'client'
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
        <Rows>
          {pods.map(({ id, signatoryName, eventUtc }, i) => (
            <li key={id} data-id={id}>
              <span>{signatoryName == null ? words.proofs : words.signedBy(signatoryName)}</span>
              <UtcTime value={eventUtc} />
              <Button
                kind="quiet"
                label={words.downloadProof(i + 1)}
                onPress={() =>
                  void download(`/v1/consignments/${consignmentId}/pods/${id}/attachment-file`, 'proof')
                }
              >
                {words.download}
              </Button>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

/** The proof that the form says. */
const proofOf = async (signatoryName: string, time: string, file: File | undefined) => ({
  signatoryName: signatoryName.trim() || null,
  eventUtc: fromField(time) ?? null,
  attachmentFile: file === undefined ? null : await uploadOf(file),
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
        label={words.file}
        help={words.proofHelp}
        accept="image/*,application/pdf"
        onChange={([chosen]) => setFile(chosen)}
        fault={faultOfFile(faults, 'attachmentFile')}
      />
      <div className={styles.formActs}>
        <Button kind="main" type="submit" isPending={isPending}>
          {words.saveProof}
        </Button>
        <Button kind="quiet" onPress={onClose}>
          {uiWords.cancel}
        </Button>
      </div>
    </form>
  )
}
