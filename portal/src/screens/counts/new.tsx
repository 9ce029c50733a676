// A new stock count, `/counts/new`. The address may name the warehouse and the places.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { get, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { type Faults, faultsOf } from '../../faults.ts'
import { Page } from '../../frame/Page.tsx'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { Link, useGo, useSearch } from '../../router.tsx'
import { useClientOptions, warehouseOptions } from '../../suggestions.ts'
import { countWords as words } from '../../words/counts.ts'
import styles from '../inventory/stock.module.css'

/** A name that nothing has: of a place of the warehouse, or of a product of the client. */
class UnknownName extends Error {
  readonly field: 'places' | 'products'
  constructor(field: UnknownName['field'], message: string) {
    super(message)
    this.field = field
  }
}

type FormFaults = Faults & { unknown?: UnknownName }

export function Screen() {
  const me = useMe()
  const go = useGo()
  const search = useSearch()
  const [given, setGiven] = useState<Given>({
    warehouse: [search.WarehouseId].flat()[0] ?? me.warehouses[0]?.id ?? '',
    ...{ client: '', zone: '', products: '', reference: '', due: '' },
    places: [search.Places ?? []].flat().join(', '),
  })
  const [isBlind, setBlind] = useState(false)
  const [faults, setFaults] = useState<FormFaults>(faultsOf(undefined))
  async function create(): Promise<void> {
    try {
      const { data } = await createCount(given, isBlind)
      notify({ text: words.created(data.stockCountNumber) })
      await readAgain('/v1/stock-counts')
      go(`/counts/${data.stockCountId}`)
    } catch (error) {
      if (error instanceof UnknownName) setFaults({ ...faultsOf(undefined), unknown: error })
      else setFaults(faultsOf(error))
    }
  }
  return (
    <Page heading={words.newCount} above={<Link to="/counts">{words.counts}</Link>}>
      <form
        className={styles.wideForm}
        onSubmit={event => {
          event.preventDefault()
          void create()
        }}
      >
        <Fields given={given} onChange={setGiven} faults={faults} />
        <SwitchField label={words.blind} help={words.blindHelp} isOn={isBlind} onChange={setBlind} />
        <div className={styles.formActs}>
          <Button kind="main" type="submit">
            {words.createCount}
          </Button>
          <Button kind="quiet" onPress={() => go('/counts')}>
            {uiWords.cancel}
          </Button>
        </div>
      </form>
    </Page>
  )
}

function Fields({
  given,
  onChange,
  faults,
}: {
  given: Given
  onChange: (given: Given) => void
  faults: FormFaults
}) {
  const me = useMe()
  const all = { value: '', text: words.all }
  const field = (name: keyof typeof given) => ({
    value: given[name],
    onChange: (value: string) => onChange({ ...given, [name]: value }),
  })
  const unknown = (name: UnknownName['field']) =>
    faults.unknown?.field === name ? faults.unknown.message : undefined
  return (
    <>
      <Refusal
        heading={faults.all.length > 1 ? uiWords.thingsToCorrect(faults.all.length) : undefined}
        reasons={faults.all}
      />
      <SelectField label={words.warehouse} options={warehouseOptions(me)} {...field('warehouse')} />
      <SelectField
        label={words.zone}
        options={[all, ...useZones(given.warehouse)]}
        fault={faults.at('warehouseZoneId')}
        {...field('zone')}
      />
      <SelectField label={words.client} options={[all, ...useClientOptions(me)]} {...field('client')} />
      <TextField
        label={words.places}
        help={words.placesHelp}
        fault={unknown('places') ?? faults.at('warehouseLocationIds')}
        {...field('places')}
      />
      <TextField
        label={words.products}
        help={words.productsHelp}
        fault={unknown('products') ?? faults.at('partnerProductIds')}
        {...field('products')}
      />
      <TextField label={words.reference} fault={faults.at('reference')} {...field('reference')} />
      <TextField label={words.due} type="datetime-local" {...field('due')} />
    </>
  )
}

type GivenField = 'warehouse' | 'client' | 'zone' | 'places' | 'products' | 'reference' | 'due'

/** What the person has typed. */
type Given = Readonly<Record<GivenField, string>>

const createCount = async (given: Given, isBlind: boolean) =>
  send('post', '/v1/stock-counts', {
    body: {
      ...{ warehouseId: given.warehouse, partnerId: given.client || null, isBlind },
      warehouseZoneId: given.zone || null,
      warehouseLocationIds: await placeIdsOf(given.warehouse, given.places),
      partnerProductIds: await productIdsOf(given.client, given.products),
      reference: given.reference.trim() || null,
      dueDateTime: given.due || null,
    },
  })

function useZones(warehouseId: string) {
  const { data } = useQuery({
    ...readAll('/v1/warehouses/{warehouseId}/zones', { path: { warehouseId } }),
    enabled: warehouseId !== '',
  })
  return data?.zones.map(({ id, name }) => ({ value: id, text: name })) ?? []
}

/** The names in a text, which has commas between them. */
const namesIn = (text: string): string[] => text.split(',').flatMap(name => name.trim() || [])

/** The ids of the places with these names; null without names. Throws UnknownName. */
async function placeIdsOf(warehouseId: string, names: string): Promise<string[] | null> {
  const wanted = namesIn(names)
  if (wanted.length === 0) return null
  const path = '/v1/warehouses/{warehouseId}/locations'
  return Promise.all(
    wanted.map(async name => {
      const query = { SearchText: name, PageSize: 100 }
      const found = await get<{ locations: readonly { id: string; name: string }[] }>(path, {
        path: { warehouseId },
        query,
      })
      const place = found.locations.find(one => one.name.toLowerCase() === name.toLowerCase())
      if (place === undefined) throw new UnknownName('places', words.noPlace(name))
      return place.id
    }),
  )
}

/** The ids of the client's products with these codes; null without codes. Throws UnknownName. */
async function productIdsOf(partnerId: string, codes: string): Promise<string[] | null> {
  const wanted = namesIn(codes)
  if (wanted.length === 0) return null
  if (partnerId === '') throw new UnknownName('products', words.needsClient)
  const found = await get<{ products: readonly { id: string; code: string }[] }>(
    '/v1/partners/{partnerId}/products',
    { path: { partnerId }, query: { Code: wanted, PageSize: 100 } },
  )
  return wanted.map(code => {
    const product = found.products.find(one => one.code.toLowerCase() === code.toLowerCase())
    if (product === undefined) throw new UnknownName('products', words.noProduct(code))
    return product.id
  })
}
