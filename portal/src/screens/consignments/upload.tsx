// Orders from a spreadsheet, `/consignments/upload`: a file is chosen, its columns are named, what would
// happen is told row by row, and then its orders become imports.

import { ConsignmentType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField } from '../../../../ui/Field.tsx'
import { FileField } from '../../../../ui/FileField.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { readFile } from '../../api.ts'
import { save } from '../../frame/export-rows.ts'
import { Page } from '../../frame/Page.tsx'
import { useMe } from '../../me.ts'
import { missingFields } from '../../order-columns.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link } from '../../router.tsx'
import { useClients } from '../../suggestions.ts'
import { newConsignmentWords } from '../../words/new-consignment.ts'
import { uploadWords as words } from '../../words/upload.ts'
import styles from './new.module.css'
import { UploadColumns } from './upload-columns.tsx'
import { Checked, Uploaded } from './upload-outcome.tsx'
import { useUpload } from './use-upload.ts'

const types = [ConsignmentType.Outwards, ConsignmentType.Inwards, ConsignmentType.PointToPoint]

type UploadState = ReturnType<typeof useUpload>

export function Screen() {
  const upload = useUpload()
  const { mapping, start, checked, uploaded, reasons, step } = upload
  const missing = missingFields(mapping)
  return (
    <Page heading={words.title} above={<Link to="/consignments">{words.consignments}</Link>}>
      <div className={styles.form}>
        <p>{words.why}</p>
        <About upload={upload} />
        {start !== undefined && (
          <UploadColumns start={start} mapping={mapping} onChange={upload.setMapping} />
        )}
        {start === undefined && reasons.length === 0 && <p role="status">{words.lacksFile}</p>}
        {start !== undefined && missing.length > 0 && <p role="status">{words.lacks(missing)}</p>}
        <div className={styles.acts}>
          <Button
            kind={checked === undefined ? 'main' : 'plain'}
            isDisabled={start === undefined || missing.length > 0 || uploaded !== undefined}
            isPending={step === 'checking'}
            onPress={() => void upload.check()}
          >
            {words.check}
          </Button>
        </div>
        <Refusal heading={words.refused} reasons={reasons} />
      </div>
      {checked !== undefined && uploaded === undefined && (
        <Checked imports={checked} isPending={step === 'uploading'} onUpload={() => void upload.upload()} />
      )}
      {uploaded !== undefined && <Uploaded imports={uploaded} />}
    </Page>
  )
}

/** What the orders are, for whom, where, and the file with them. */
function About({ upload }: { upload: UploadState }) {
  const me = useMe()
  const clients = useClients(me).map(({ code, name }) => ({ value: code, text: name }))
  const own = me.partner === null ? undefined : [{ value: me.partner.code, text: me.partner.name }]
  return (
    <>
      <div className={styles.types} role="radiogroup" aria-label={newConsignmentWords.type}>
        {types.map(choice => (
          <label key={choice}>
            <input
              type="radio"
              name="type"
              value={choice}
              checked={choice === upload.type}
              onChange={() => upload.setType(choice)}
            />
            {newConsignmentWords.typeOf(choice)}
          </label>
        ))}
      </div>
      <div className={styles.fields}>
        <SelectField
          label={newConsignmentWords.client}
          value={upload.clientCode}
          onChange={upload.setClient}
          options={own ?? [{ value: '', text: newConsignmentWords.chooseClient }, ...clients]}
          isRequired
        />
        <SelectField
          label={newConsignmentWords.warehouse}
          value={upload.warehouseCode}
          onChange={upload.setWarehouse}
          options={me.warehouses.map(({ code, name }) => ({ value: code, text: name }))}
        />
      </div>
      <FileField
        label={words.file}
        name={words.chooseFile}
        help={words.fileHelp}
        accept=".csv,text/csv"
        onChange={([file]) => void upload.choose(file)}
      />
      <div>
        <Button onPress={() => void downloadTemplate(upload.type)}>{words.template}</Button>
      </div>
    </>
  )
}

async function downloadTemplate(type: number): Promise<void> {
  try {
    const path = '/v1/consignment-imports/csv-template'
    const { blob, name } = await readFile(`${path}?ConsignmentType=${type}`)
    save(blob, name ?? 'orders.csv')
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}
