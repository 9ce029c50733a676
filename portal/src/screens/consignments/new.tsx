// A new consignment, `/consignments/new?type=`. It is posted as an import and followed until it is a
// consignment, or waits: then each reason stands at its field.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConsignmentType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { read } from '../../api.ts'
import type { Faults } from '../../faults.ts'
import { Page } from '../../frame/Page.tsx'
import { useMe } from '../../me.ts'
import {
  addressField,
  addressParts,
  copyOf,
  type Draft,
  emptyLine,
  expectedField,
} from '../../new-consignment.ts'
import { Link, useSearch } from '../../router.tsx'
import { useCarriers, useClients } from '../../suggestions.ts'
import { newConsignmentWords as words } from '../../words/new-consignment.ts'
import { FreeStock, seesFreeStock, withProduct } from './free-stock.tsx'
import styles from './new.module.css'
import { NewLines } from './new-lines.tsx'
import { useCreation } from './use-creation.ts'

const types = [ConsignmentType.Outwards, ConsignmentType.Inwards, ConsignmentType.PointToPoint]

export function Screen() {
  const me = useMe()
  const search = useSearch()
  const copied = [search.copy].flat()[0]
  if (copied !== undefined) return <CopyForm key={copied} consignmentId={copied} />
  const type = Number([search.type].flat()[0] ?? ConsignmentType.Outwards)
  return (
    <Form
      initial={{
        type: types.some(known => known === type) ? type : ConsignmentType.Outwards,
        clientCode: me.partner?.code ?? '',
        warehouseCode: me.warehouses[0]?.code ?? '',
        ...{ carrierCode: '', referenceNumber: '', expected: '' },
        address: { name: '', streetAddress: '', city: '', postCode: '', country: '' },
        lines: [emptyLine()],
      }}
    />
  )
}

/** The form with what another consignment says. */
function CopyForm({ consignmentId }: { consignmentId: string }) {
  const { data } = useSuspenseQuery(read('/v1/consignments/{consignmentId}', { path: { consignmentId } }))
  return <Form initial={copyOf(data)} />
}

function Form({ initial }: { initial: Draft }) {
  const me = useMe()
  const [draft, setDraft] = useState(initial)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const { faults, state, waitingId, create } = useCreation(draft)
  return (
    <Page
      heading={words.newConsignment}
      above={<Link to="/consignments">{words.consignments}</Link>}
      details={
        draft.type === ConsignmentType.Outwards &&
        seesFreeStock(me) && (
          <FreeStock
            draft={draft}
            onOrder={productCode => change({ lines: withProduct(draft.lines, productCode) })}
          />
        )
      }
    >
      <form
        noValidate
        className={styles.form}
        onSubmit={event => {
          event.preventDefault()
          void create(false)
        }}
      >
        <Refusal
          heading={waitingId === undefined ? uiWords.thingsToCorrect(faults.all.length) : words.waits}
          reasons={faults.all}
        >
          {waitingId !== undefined && <Link to={`/imports/${waitingId}`}>{words.openImport}</Link>}
        </Refusal>
        <Types type={draft.type} onChange={chosen => change({ type: chosen })} />
        <General draft={draft} faults={faults} onChange={change} />
        <Address draft={draft} faults={faults} onChange={change} />
        <NewLines draft={draft} faults={faults} onChange={lines => change({ lines })} />
        <div className={styles.acts}>
          <Button kind="main" type="submit" isPending={state === 'creating'}>
            {waitingId === undefined ? words.create : words.saveAndTryAgain}
          </Button>
          {waitingId === undefined && me.partner === null && (
            <Button onPress={() => void create(true)} isPending={state === 'creating'}>
              {words.saveAsDraft}
            </Button>
          )}
          {state === 'creating' && <span role="status">{words.creating}</span>}
        </div>
      </form>
    </Page>
  )
}

const Types = ({ type, onChange }: { type: number; onChange: (type: number) => void }) => (
  <div className={styles.types} role="radiogroup" aria-label={words.type}>
    {types.map(choice => (
      <label key={choice}>
        <input
          type="radio"
          name="type"
          value={choice}
          checked={choice === type}
          onChange={() => onChange(choice)}
        />
        {words.typeOf(choice)}
      </label>
    ))}
  </div>
)

interface PartProps {
  draft: Draft
  faults: Faults
  onChange: (part: Partial<Draft>) => void
}

/** Partners as options by code. */
const byCode = (partners: readonly { code: string; name: string }[]) =>
  partners.map(({ code, name }) => ({ value: code, text: name }))

function General({ draft, faults, onChange }: PartProps) {
  const me = useMe()
  const clients = byCode(useClients(me))
  const carriers = byCode(useCarriers(me))
  return (
    <div className={`${styles.fields} ${styles.general}`}>
      {me.partner === null && (
        <SelectField
          label={words.client}
          value={draft.clientCode}
          onChange={clientCode => onChange({ clientCode })}
          options={[{ value: '', text: words.chooseClient }, ...clients]}
          fault={faults.at('clientCode')}
          isRequired
        />
      )}
      <SelectField
        label={words.warehouse}
        value={draft.warehouseCode}
        onChange={warehouseCode => onChange({ warehouseCode })}
        options={me.warehouses.map(({ code, name }) => ({ value: code, text: name }))}
        fault={faults.at('warehouseCode')}
      />
      {me.partner === null && (
        <SelectField
          label={words.carrier}
          value={draft.carrierCode}
          onChange={carrierCode => onChange({ carrierCode })}
          options={[{ value: '', text: words.noCarrier }, ...carriers]}
          fault={faults.at('carrierCode')}
        />
      )}
      <TextField
        label={words.reference}
        value={draft.referenceNumber}
        onChange={referenceNumber => onChange({ referenceNumber })}
        maxLength={100}
        fault={faults.at('referenceNumber')}
      />
      <TextField
        label={words.expected(draft.type)}
        help={words.expectedHelp}
        type="datetime-local"
        value={draft.expected}
        onChange={expected => onChange({ expected })}
        fault={faults.at(expectedField(draft.type))}
      />
    </div>
  )
}

function Address({ draft, faults, onChange }: PartProps) {
  const { type, address } = draft
  const place = addressField(type)
  return (
    <fieldset className={styles.group}>
      <legend>{type === ConsignmentType.Inwards ? words.origin : words.consignee}</legend>
      <div className={`${styles.fields} ${styles.address}`}>
        {addressParts.map(part => (
          <TextField
            key={part}
            label={words[part]}
            value={address[part]}
            onChange={value => onChange({ address: { ...address, [part]: value } })}
            help={part === 'country' ? words.countryHelp : undefined}
            fault={faults.at(`${place}.${part}`)}
          />
        ))}
      </div>
    </fieldset>
  )
}
