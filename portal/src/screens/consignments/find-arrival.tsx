// Finds the line of a receipt that a scanned or typed code names: its product, its pallet, or a serial that
// was announced. A product of the client that nobody announced is offered as such.

import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../../ui/Button.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { type Got, get } from '../../api.ts'
import { reasonsOf } from '../../rehearse.ts'
import { receiveWords as words } from '../../words/receive.ts'
import { type Arrival, unannounced } from './arrivals.ts'
import type { Consignment } from './consignment.tsx'
import styles from './receive.module.css'
import { focusQuantity, scanId } from './receive-rows.tsx'

type Product = Parameters<typeof unannounced>[0]

export function FindArrival({
  consignment,
  arrivals,
  onAdd,
}: {
  consignment: Consignment
  arrivals: readonly Arrival[]
  onAdd: (arrival: Arrival) => void
}) {
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string>()
  const [offered, setOffered] = useState<Product>()
  const latest = useRef('')
  const show = (product: Product | undefined, text: string | undefined) => {
    setOffered(product)
    setFault(text)
  }
  async function find(): Promise<void> {
    const wanted = code.trim()
    if (wanted === '') return
    latest.current = wanted
    const here = arrivalNamed(wanted, consignment, arrivals)
    const products = here === undefined ? await productsNamed(wanted, consignment.clientId) : []
    // A slower answer to an earlier scan is of no interest any more.
    if (latest.current !== wanted) return
    const found =
      here ?? nextOf(arrivals.filter(({ productId }) => products.some(({ id }) => id === productId)))
    if (found === undefined)
      return show(products[0], products[0] ? words.notHere(products[0].code) : words.notFound(wanted))
    show(undefined, undefined)
    setCode('')
    focusQuantity(found)
  }
  return (
    <form
      id={scanId}
      aria-label={words.findLine}
      className={styles.scan}
      onSubmit={event => {
        event.preventDefault()
        find().catch((error: unknown) => show(undefined, reasonsOf(error).join(' ')))
      }}
    >
      <TextField label={words.scan} value={code} onChange={setCode} fault={fault} />
      <Button type="submit" isDisabled={code.trim() === ''}>
        {words.find}
      </Button>
      {offered !== undefined && (
        <Button
          onPress={() => {
            const added = unannounced(offered)
            flushSync(() => {
              onAdd(added)
              show(undefined, undefined)
              setCode('')
            })
            focusQuantity(added)
          }}
        >
          {words.addUnannounced(offered.code)}
        </Button>
      )}
    </form>
  )
}

/** Of several, the first without a quantity. */
const nextOf = (arrivals: readonly Arrival[]): Arrival | undefined =>
  arrivals.find(arrival => arrival.quantity === '') ?? arrivals[0]

/** The arrival that has this product code, pallet or announced serial. */
function arrivalNamed(
  code: string,
  { products }: Consignment,
  arrivals: readonly Arrival[],
): Arrival | undefined {
  const isSame = (text: string) => text.toLowerCase() === code.toLowerCase()
  const lines = products.filter(({ items }) => items.some(({ serial }) => serial !== null && isSame(serial)))
  return nextOf(
    arrivals.filter(
      arrival =>
        isSame(arrival.productCode) ||
        // A scanner reads the SSCC with its GS1 prefix.
        (arrival.pallet !== '' && (isSame(arrival.pallet) || isSame(`00${arrival.pallet}`))) ||
        lines.some(({ id }) => id === arrival.lineId),
    ),
  )
}

/** The products of the client that a code, such as a barcode, stands for. */
async function productsNamed(code: string, clientId: string): Promise<readonly Product[]> {
  const { matches } = await get<Got<'/v1/scan'>>('/v1/scan', { query: { Code: code } })
  const ids = matches.flatMap(one => (one.kind === 'product' && one.clientId === clientId ? one.id : []))
  return Promise.all(
    ids.map(id =>
      get<Product>('/v1/partners/{partnerId}/products/{partnerProductId}', {
        path: { partnerId: clientId, partnerProductId: id },
      }),
    ),
  )
}
