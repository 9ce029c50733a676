// Change attributes: the batch, the dates and the attributes of one item.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextField } from '../../../../ui/Field.tsx'
import { type RowOf, read } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { hasScope, useMe } from '../../me.ts'
import { stockWords as words } from '../../words/stock.ts'
import { stockPaths } from '../inventory/stock-acts.tsx'

type Item = RowOf<'/v1/inventory-items'>

const dates = ['expiryDate', 'bestBeforeDate'] as const

/** The attributes that the organisation knows, with those that the item's stock has. */
function useAttributes(warehouseProductId: string | null) {
  const known = useQuery({
    ...readAll('/v1/product-attributes'),
    enabled: hasScope(useMe(), 'partner.read'),
  })
  const stock = useQuery({
    ...read('/v1/inventory/{warehouseProductId}', {
      path: { warehouseProductId: warehouseProductId ?? '' },
    }),
    enabled: warehouseProductId !== null,
  })
  const present = stock.data?.attributes ?? []
  const names = new Set([
    ...present.flatMap(({ name }) => name ?? []),
    ...(known.data?.productAttributes ?? []).map(({ name }) => name),
  ])
  return [...names].map(name => ({
    name,
    value: present.find(attribute => attribute.name === name)?.description ?? '',
  }))
}

type Typed = Readonly<Record<string, string>>

const keyOf = (name: string) => `attribute ${name}`

/** What the form changes. The attributes are sent as a whole, and only if one of them differs. */
function changeOf(typed: Typed, attributes: ReturnType<typeof useAttributes>) {
  const now = attributes.map(({ name, value }) => ({
    ...{ name, value },
    description: (typed[keyOf(name)] ?? value).trim(),
  }))
  const given = Object.fromEntries(
    ['batch', ...dates].flatMap(name => (typed[name]?.trim() ? [[name, typed[name]?.trim()]] : [])),
  )
  if (now.every(({ value, description }) => value === description)) return given
  const kept = now.filter(({ description }) => description !== '')
  return { ...given, attributes: kept.map(({ name, description }) => ({ name, description })) }
}

export function ChangeAttributes({ item, onClose }: { item: Item; onClose: () => void }) {
  const [typed, setTyped] = useState<Typed>({})
  const attributes = useAttributes(item.warehouseProductId)
  const field = (name: string, value = '') => ({
    value: typed[name] ?? value,
    onChange: (text: string) => setTyped({ ...typed, [name]: text }),
  })
  const change = changeOf(typed, attributes)
  const reason = (typed.reason ?? '').trim()
  return (
    <ActDialog
      act={words.changeAttributes}
      method="post"
      path="/v1/inventory-items/{warehouseProductItemId}/adjust-attributes"
      request={{
        path: { warehouseProductItemId: item.warehouseProductItemId },
        body: { ...change, reason },
      }}
      isComplete={Object.keys(change).length > 0 && reason !== ''}
      done={words.attributesChanged}
      changes={stockPaths}
      onClose={onClose}
    >
      {faults => (
        <>
          <TextField
            label={words.batch}
            help={words.unchangedField}
            fault={faults.at('batch')}
            {...field('batch')}
          />
          <TextField
            label={words.expiry}
            type="date"
            fault={faults.at('expiryDate')}
            {...field('expiryDate')}
          />
          <TextField
            label={words.bestBefore}
            type="date"
            fault={faults.at('bestBeforeDate')}
            {...field('bestBeforeDate')}
          />
          {attributes.map(({ name, value }) => (
            <TextField key={name} label={name} {...field(keyOf(name), value)} />
          ))}
          <TextField label={words.reason} fault={faults.at('reason')} isRequired {...field('reason')} />
        </>
      )}
    </ActDialog>
  )
}
