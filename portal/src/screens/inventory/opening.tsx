// Opening balances, `/inventory/opening`: a CSV file is checked first and then loaded.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField } from '../../../../ui/Field.tsx'
import { FileField } from '../../../../ui/FileField.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { Region, SmallTable } from '../../../../ui/Region.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { readFile, send } from '../../api.ts'
import { base64Of } from '../../files.ts'
import { save } from '../../frame/export-rows.ts'
import { Page } from '../../frame/Page.tsx'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link } from '../../router.tsx'
import { stockWords as words } from '../../words/stock.ts'
import styles from './stock.module.css'
import { stockPaths } from './stock-acts.tsx'

/** What the service said about the file. */
interface Outcome {
  faults: readonly string[]
  products: readonly { partnerProductId: string; partnerProductCode: string; quantity: number }[]
  isLoaded: boolean
}

export function Screen() {
  const { warehouses } = useMe()
  const [warehouseCode, setWarehouse] = useState(warehouses[0]?.code ?? '')
  const [createLocations, setCreate] = useState(false)
  const [file, setFile] = useState<File>()
  // A file that is loaded again, because nobody saw the answer, is not loaded twice.
  const [operationId, setOperationId] = useState(() => crypto.randomUUID())
  const [outcome, setOutcome] = useState<Outcome>()
  const post = async (dryRun: boolean) =>
    file &&
    setOutcome(
      await postFile(file, { warehouseCode, createLocations, dryRun, ...(dryRun ? {} : { operationId }) }),
    )
  return (
    <Page
      heading={words.openingBalances}
      above={<Link to="/inventory">{words.inventory}</Link>}
      acts={<Button onPress={() => void downloadTemplate()}>{words.template}</Button>}
    >
      <div className={styles.wideForm}>
        <p className={styles.quiet}>{words.openingWhy}</p>
        <SelectField
          label={words.warehouse}
          value={warehouseCode}
          onChange={setWarehouse}
          options={warehouses.map(({ code, name }) => ({ value: code, text: name }))}
        />
        <FileField
          label={words.file}
          accept=".csv,text/csv"
          onChange={([chosen]) => {
            setFile(chosen)
            setOperationId(crypto.randomUUID())
            setOutcome(undefined)
          }}
        />
        <SwitchField
          label={words.createLocations}
          help={words.createLocationsHelp}
          isOn={createLocations}
          onChange={setCreate}
        />
        <div className={styles.formActs}>
          <Button isDisabled={file === undefined} onPress={() => void post(true)}>
            {words.check}
          </Button>
          <Button kind="main" disabledReason={whyNot(outcome)} onPress={() => void post(false)}>
            {words.load}
          </Button>
        </div>
      </div>
      {outcome !== undefined && <Result {...outcome} />}
    </Page>
  )
}

/** Why the file cannot be loaded now. */
function whyNot(outcome: Outcome | undefined): string | undefined {
  if (outcome === undefined) return words.checkFirst
  if (outcome.isLoaded) return words.isLoaded
  return outcome.faults.length > 0 ? words.correctFirst : undefined
}

async function postFile(
  file: File,
  given: { warehouseCode: string; createLocations: boolean; dryRun: boolean; operationId?: string },
): Promise<Outcome> {
  try {
    const content = await base64Of(file)
    const { data } = await send('post', '/v1/inventory/opening-balances/csv', {
      body: { ...given, file: { fileName: file.name, contentType: 'text/csv', content } },
    })
    notify({ text: given.dryRun ? words.checked(data.rowCount) : words.loaded(data.rowCount) })
    if (!given.dryRun) await readAgain(...stockPaths)
    return { faults: [], products: data.products, isLoaded: !given.dryRun }
  } catch (error) {
    return { faults: reasonsOf(error), products: [], isLoaded: false }
  }
}

function Result({ faults, products, isLoaded }: Outcome) {
  if (faults.length > 0) return <Refusal heading={words.faultyRows} reasons={faults} />
  return (
    <Region heading={words.products}>
      <SmallTable
        label={words.products}
        heads={[{ text: words.product }, { text: words.quantity, isAtEnd: true }]}
        rows={products.map(row => ({
          id: row.partnerProductId,
          cells: [
            isLoaded ? (
              <Link
                key="product"
                to="/inventory"
                search={{ PartnerProductId: row.partnerProductId } as never}
              >
                {row.partnerProductCode}
              </Link>
            ) : (
              row.partnerProductCode
            ),
            quantity(row.quantity),
          ],
        }))}
      />
    </Region>
  )
}

async function downloadTemplate(): Promise<void> {
  try {
    const { blob, name } = await readFile('/v1/inventory/opening-balances/csv-template')
    save(blob, name ?? 'opening-balances.csv')
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}
