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

/** A place that the warehouse does not have. */
class UnknownPlace extends Error {}

type FormFaults = Faults & { place?: string }

export function Screen() {
  const me = useMe()
  const go = useGo()
  const search = useSearch()
  const [given, setGiven] = useState<Given>({
    warehouse: [search.WarehouseId].flat()[0] ?? me.warehouses[0]?.id ?? '',
    ...{ client: '', zone: '', places: [search.Places ?? []].flat().join(', '), reference: '', due: '' },
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
      if (error instanceof UnknownPlace) setFaults({ ...faultsOf(undefined), place: error.message })
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
        <SwitchField label={words.blindHelp} isOn={isBlind} onChange={setBlind} />
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
        fault={faults.place ?? faults.at('warehouseLocationIds')}
        {...field('places')}
      />
      <TextField label={words.reference} fault={faults.at('reference')} {...field('reference')} />
      <TextField label={words.due} type="datetime-local" {...field('due')} />
    </>
  )
}

/** What the person has typed. */
type Given = Readonly<Record<'warehouse' | 'client' | 'zone' | 'places' | 'reference' | 'due', string>>

const createCount = async (given: Given, isBlind: boolean) =>
  send('post', '/v1/stock-counts', {
    body: {
      ...{ warehouseId: given.warehouse, partnerId: given.client || null, isBlind },
      warehouseZoneId: given.zone || null,
      warehouseLocationIds: await placeIdsOf(given.warehouse, given.places),
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

/** The ids of the places with these names; null without names. Throws UnknownPlace. */
async function placeIdsOf(warehouseId: string, names: string): Promise<string[] | null> {
  const wanted = names.split(',').flatMap(name => name.trim() || [])
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
      if (place === undefined) throw new UnknownPlace(words.noPlace(name))
      return place.id
    }),
  )
}
