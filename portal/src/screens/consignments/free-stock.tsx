// Region Free stock, beside a new order: what the client has to send from the warehouse. A press orders it.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { useSettled } from '../../../../ui/use-settled.ts'
import { usePages } from '../../every-page.ts'
import { ReadOn } from '../../frame/ReadOn.tsx'
import { hasScope, kindOf, type Me, useMe } from '../../me.ts'
import { type Draft, type DraftLine, emptyLine } from '../../new-consignment.ts'
import { regionStateOf } from '../../queries.ts'
import { newConsignmentWords as words } from '../../words/new-consignment.ts'
import { useClientId } from './line-products.ts'
import styles from './new.module.css'

/** Figures cost the service more than names do. */
const readAtFirst = 50

/** Whether the person may see stock and products. */
export const seesFreeStock = (me: Me): boolean =>
  kindOf(me) !== 'carrier' && hasScope(me, 'inventory.read') && hasScope(me, 'partner.read')

/** The lines with one more of a product, in the first line that names none. */
export function withProduct(lines: readonly DraftLine[], productCode: string): readonly DraftLine[] {
  const empty = lines.find(line => line.productCode.trim() === '')
  if (empty === undefined) return [...lines, { ...emptyLine(), productCode }]
  return lines.map(line => (line === empty ? { ...line, productCode } : line))
}

export function FreeStock({ draft, onOrder }: { draft: Draft; onOrder: (productCode: string) => void }) {
  const me = useMe()
  const [text, setText] = useState('')
  const SearchText = useSettled(text.trim())
  const partnerId = useClientId(draft.clientCode)
  const warehouse = me.warehouses.find(({ code }) => code === draft.warehouseCode)
  const pages = usePages(
    '/v1/partners/{partnerId}/products',
    {
      path: { partnerId: partnerId ?? '' },
      query: {
        Include: ['figures'],
        ...(SearchText === '' ? {} : { SearchText }),
        ...(warehouse === undefined ? {} : { WarehouseId: warehouse.id }),
      },
    },
    { first: readAtFirst, enabled: partnerId !== undefined },
  )
  if (partnerId === undefined)
    return (
      <Region heading={words.freeStock} isBare>
        <p className={styles.why}>{words.freeStockWhy}</p>
      </Region>
    )
  const { rows = [], total, isError } = pages
  const free = pages.rows?.filter(({ availableQuantity = 0 }) => availableQuantity > 0)
  const nothingFree = rows.length < total ? words.nothingFreeYet : words.nothingFree
  return (
    <Region heading={words.freeStock} summary={warehouse?.name} state={regionStateOf(isError, free)} isBare>
      <TextField label={words.findProduct} value={text} onChange={setText} />
      {free?.length === 0 && <Nothing text={nothingFree} />}
      <ul className={styles.free}>
        {free?.map(({ code, name, availableQuantity = 0 }) => (
          <li key={code}>
            <Button kind="quiet" label={words.order(code)} onPress={() => onOrder(code)}>
              <b>{code}</b>
            </Button>
            <span className={styles.quiet}>{name}</span>
            <b>{quantity(availableQuantity)}</b>
          </li>
        ))}
      </ul>
      <ReadOn pages={pages} shown={words.productsRead} />
    </Region>
  )
}
