// The field of a filter by a record: a choice of a few, or of products and places a combo box. What the
// person cannot choose from, such as other partners for a client's people, has no field.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { SelectField } from '../../../../ui/Field.tsx'
import { SuggestField } from '../../../../ui/SuggestField.tsx'
import { type PathWith, read } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { hasScope, kindOf, useMe } from '../../me.ts'
import {
  type Choice,
  useCarriers,
  useClientOptions,
  usePlaces,
  useProducts,
  warehouseOptions,
} from '../../suggestions.ts'
import { reportWords as words } from '../../words/reports.ts'
import type { FilterFieldProps } from './filter-form.tsx'

export function RecordField(props: FilterFieldProps) {
  switch (props.filter.name) {
    case 'partnerProductId':
      return <ProductField {...props} />
    case 'warehouseLocationId':
      return <PlaceField {...props} />
    case 'partnerId':
    case 'clientPartnerId':
    case 'carrierPartnerId':
    case 'carrierId':
      return <PartnerField {...props} />
    case 'warehouseId':
      return <WarehouseField {...props} />
    case 'warehouseZoneId':
      return <ZoneField {...props} />
    case 'stockCountId':
      return <CountField {...props} />
    default:
      return <ReferenceField {...props} />
  }
}

/** A choice of a few, if there are any. */
const Choices = ({
  filter,
  typed,
  fault,
  onChange,
  choices,
}: FilterFieldProps & { choices: readonly Choice[] }) =>
  choices.length === 0 ? null : (
    <SelectField
      label={filter.label}
      help={words.helpOf(filter.description)}
      fault={fault}
      value={typed[filter.name] ?? ''}
      onChange={onChange}
      options={[{ value: '', text: words.any }, ...choices]}
    />
  )

const WarehouseField = (props: FilterFieldProps) => <Choices {...props} choices={warehouseOptions(useMe())} />

function PartnerField(props: FilterFieldProps) {
  const me = useMe()
  const clients = useClientOptions(me)
  const carriers = useCarriers(me).map(({ id, name }) => ({ value: id, text: name }))
  const { name, label } = props.filter
  const choices = name.startsWith('carrier')
    ? carriers
    : name === 'clientPartnerId' || label === 'Client'
      ? clients
      : [...clients, ...carriers]
  return <Choices {...props} choices={choices} />
}

function ZoneField(props: FilterFieldProps) {
  const me = useMe()
  const warehouseId = props.typed.warehouseId ?? ''
  const { data } = useQuery({
    ...readAll('/v1/warehouses/{warehouseId}/zones', { path: { warehouseId } }),
    enabled: warehouseId !== '' && hasScope(me, 'warehouse.read'),
  })
  return <Choices {...props} choices={data?.zones.map(({ id, name }) => ({ value: id, text: name })) ?? []} />
}

function CountField(props: FilterFieldProps) {
  const me = useMe()
  const { data } = useQuery({
    ...readAll('/v1/stock-counts'),
    enabled: hasScope(me, 'inventory.read'),
  })
  const choices = data?.stockCounts.map(one => ({ value: one.stockCountId, text: one.stockCountNumber }))
  return <Choices {...props} choices={choices ?? []} />
}

/** The lists of reference data, by the filter that chooses of them. */
const lists = {
  consumableTypeId: '/v1/consumable-types',
  taskTypeId: '/v1/task-types',
  costCentreId: '/v1/cost-centres',
  revenueAccountId: '/v1/revenue-accounts',
} as const satisfies Record<string, PathWith<'get'>>

function ReferenceField(props: FilterFieldProps) {
  const path = lists[props.filter.name as keyof typeof lists]
  const { data } = useQuery({ ...readAll(path), enabled: path !== undefined, staleTime: 60_000 })
  const rows = Object.values(data ?? {}).find(Array.isArray) as
    | readonly { id: string; name: string }[]
    | undefined
  return <Choices {...props} choices={rows?.map(({ id, name }) => ({ value: id, text: name })) ?? []} />
}

/** A combo box for one of many. What is typed counts once it is the name of one that was found. */
function FoundField({
  filter,
  typed,
  fault,
  onChange,
  found,
  help,
}: FilterFieldProps & { found: Found; help: string | undefined }) {
  const { text, setText, choices, isTyped } = found
  const value = typed[filter.name] ?? ''
  const id = choices.find(choice => choice.value === text.trim())?.id ?? ''
  // What could be meant is found a moment after it was typed.
  useEffect(() => {
    if (isTyped && id !== value) onChange(id)
  })
  const isUnknown = isTyped && text.trim() !== '' && choices.length === 0 && help === undefined
  return (
    <SuggestField
      label={filter.label}
      help={help}
      fault={fault ?? (isUnknown ? words.notKnown : undefined)}
      value={text}
      suggestions={choices}
      onChange={setText}
    />
  )
}

interface Found {
  text: string
  setText: (text: string) => void
  choices: readonly (Choice & { id: string })[]
  /** whether somebody has typed the text; else it is the name of what the address has */
  isTyped: boolean
}

function ProductField(props: FilterFieldProps) {
  const me = useMe()
  const [typed, setText] = useState<string>()
  const typedPartner = props.typed.partnerId ?? props.typed.clientPartnerId ?? ''
  const partnerId = kindOf(me) === 'client' ? (me.partner?.id ?? '') : typedPartner
  const partnerProductId = props.typed[props.filter.name] ?? ''
  const { data } = useQuery({
    ...read('/v1/partners/{partnerId}/products/{partnerProductId}', {
      path: { partnerId, partnerProductId },
    }),
    enabled: partnerId !== '' && partnerProductId !== '' && typed === undefined,
  })
  const text = typed ?? data?.code ?? ''
  const choices = useProducts(partnerId, text)
  if (kindOf(me) === 'carrier' || !hasScope(me, 'partner.read')) return null
  return (
    <FoundField
      {...props}
      found={{ text, setText, choices, isTyped: typed !== undefined }}
      help={partnerId === '' ? words.chooseClientFirst : undefined}
    />
  )
}

function PlaceField(props: FilterFieldProps) {
  const [typed, setText] = useState<string>()
  const warehouseId = props.typed.warehouseId ?? ''
  const warehouseLocationId = props.typed[props.filter.name] ?? ''
  const { data } = useQuery({
    ...read('/v1/warehouses/{warehouseId}/locations/{warehouseLocationId}', {
      path: { warehouseId, warehouseLocationId },
    }),
    enabled: warehouseId !== '' && warehouseLocationId !== '' && typed === undefined,
  })
  const text = typed ?? data?.name ?? ''
  const choices = usePlaces(warehouseId, text)
  return (
    <FoundField
      {...props}
      found={{ text, setText, choices, isTyped: typed !== undefined }}
      help={warehouseId === '' ? words.chooseWarehouseFirst : undefined}
    />
  )
}
