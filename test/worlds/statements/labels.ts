// Labels: their words and their codes, of pallets that are here and that left, of orders, products and places.

import assert from 'node:assert/strict'
import { linesOf } from '../../support/pdf.ts'
import { type dateFields, type Look, type Product, round4, type Unit } from '../notebook/goods.ts'
import { type Consignment, goneOf, Status } from '../notebook/orders.ts'
import { untilNotBusy, type World } from '../world.ts'
import { sameText } from './figures.ts'
import { clientName, warehouseName } from './rows.ts'

/** What is printed: words as they are read, and codes as they are scanned. */
interface Print {
  words: string[]
  codes: string[]
}

const figures = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6 })
const dates = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const dayOf = (date: string | null) => (date === null ? null : dates.format(new Date(`${date}T00:00:00Z`)))

/** The texts as words; where a line is broken does not matter. */
const inWords = (texts: readonly (string | null)[]): string[] =>
  texts.flatMap(text => (text === null ? [] : text.split(' '))).toSorted()

/** Reads what a printer would print. */
function read(zpl: string): Print[] {
  return zpl
    .split('^XA')
    .slice(1)
    .map(label => {
      const fields = [...label.matchAll(/\^F[OT][\d,]+(.*?)\^FD(.*?)\^FS/gs)]
      const of = (isCode: boolean) =>
        fields
          .filter(([, command = '']) => /\^B[CQX]/.test(command) === isCode)
          .map(([, , text = '']) =>
            text.replace(/_([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
          )
      return { words: inWords(of(false)), codes: of(true).map(code => code.replace(/>.|^MA,/g, '')) }
    })
}

async function labels({ caller }: World, path: string): Promise<Print[]> {
  const { status, bytes, body } = await untilNotBusy(() => caller.get(`${path}?Format=2`))
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  return read(Buffer.from(bytes).toString('utf8'))
}

export async function printedLabels(world: World): Promise<void> {
  const { floor, products, places, consignments } = world.notebook
  const { clientId, warehouseId } = world
  const product = products[floor.journal.length % products.length] as Product
  const [one] = await labels(world, `/v1/partners/${clientId}/products/${product.id}/label`)
  const { code, name } = product
  const known = { words: inWords([clientName, code, name, warningOf(product), code]), codes: [code] }
  sameText(one, known, `the label of ${code}`)
  const place = places[floor.journal.length % places.length]
  const [ofPlace] = await labels(world, `/v1/warehouses/${warehouseId}/locations/${place?.id}/label`)
  sameText(ofPlace?.codes, [place?.name, place?.name], `the codes on the label of ${place?.name}`)
  const zone = place?.zone ? `· ${place.zone.name}` : null
  const text = inWords([place?.name ?? '', place?.name ?? '', warehouseName, zone])
  sameText(ofPlace?.words, text, `the label of ${place?.name}`)
  for (const unit of [...floor.units.values()].slice(-2)) await compareUnit(world, unit)
  const order = consignments.findLast(({ type }) => type === 'outwards')
  if (order) await compareOrder(world, order)
}

/** What a label warns of. */
const warningOf = ({ isDangerous }: { isDangerous: boolean }) => (isDangerous ? 'UN 1263 Class 3' : null)

/** Goods on a pallet that cannot be told apart. */
interface Content {
  code: string
  name: string
  look: Look
  isDangerous: boolean
  quantity: number
}

/** What is on a pallet now; on an empty one, what it left with, called as it was then. */
function contentsOf({ notebook }: World, unit: Unit): Content[] {
  const here = notebook.floor
    .onUnit(unit)
    .map(({ product, look, quantity }) => ({ ...product, look, quantity }))
  const left = (unit.leftWith?.lines ?? [])
    .flatMap(goneOf)
    .filter(({ identity }) => identity.unit === unit)
    .map(({ identity: { look, product }, code, name, quantity }) => ({
      ...{ code, name, look, isDangerous: product.isDangerous, quantity },
    }))
  const keyOf = ({ code, look }: Content) =>
    JSON.stringify([code, look.batch, look.bestBeforeDate, look.expiryDate])
  return [...Map.groupBy(here.length > 0 ? here : left, keyOf).values()].map(own => ({
    ...(own[0] as Content),
    quantity: round4(own.reduce((all, { quantity }) => all + quantity, 0)),
  }))
}

/** The order that has everything on a pallet, or with which the last of it left. */
function orderOf({ notebook }: World, unit: Unit): Consignment | null {
  const here = notebook.floor.onUnit(unit)
  if (here.length === 0) return unit.leftWith
  const promises = here.flatMap(heap => heap.promises)
  const all = round4(here.reduce((sum, { quantity }) => sum + quantity, 0))
  const promised = round4(promises.reduce((sum, { quantity }) => sum + quantity, 0))
  const orders = new Set(promises.map(({ line }) => line.consignment))
  const [order] = orders
  return order && orders.size === 1 && all === promised ? order : null
}

const wordsOf = ({ code, name, look, isDangerous, quantity }: Content) => [
  ...[
    figures.format(quantity),
    code,
    name,
    warningOf({ isDangerous }),
    look.batch,
    dayOf(look.bestBeforeDate),
    dayOf(look.expiryDate),
  ],
]

function printOf(world: World, unit: Unit, isCounted: boolean): Print {
  const contents = contentsOf(world, unit)
  const order = orderOf(world, unit)
  const [only] = contents
  const isAny = (field: 'batch' | (typeof dateFields)[number]) =>
    contents.some(({ look }) => look[field] !== null)
  const titles = [
    ...(contents.length > 0 ? ['PRODUCT', 'COUNT'] : []),
    ...(isAny('bestBeforeDate') ? ['BEST BEFORE'] : []),
    ...(isAny('expiryDate') ? ['EXPIRY'] : []),
    ...(isAny('batch') ? ['BATCH/LOT'] : []),
  ]
  const dangerous = contents.find(({ isDangerous }) => isDangerous)
  const warning = dangerous ? ['DANGEROUS GOODS'] : []
  const count = (of: (content: Content) => unknown) => String(new Set(contents.map(of)).size)
  const total = round4(contents.reduce((all, { quantity }) => all + quantity, 0))
  const counted = [
    ...['PRODUCTS', count(({ code }) => code), 'COUNT', figures.format(total)],
    ...['BATCHES', count(({ code, look }) => `${code} ${look.batch}`)],
    ...(dangerous ? [...warning, warningOf(dangerous)] : []),
  ]
  const listed = [...titles, ...(contents.length === 1 ? warning : []), ...contents.flatMap(wordsOf)]
  const texts = only && isCounted ? counted : listed
  const reference = unit.isSscc ? [] : ['Reference', unit.name]
  const sscc = unit.isSscc ? `(00)${unit.name}` : null
  return {
    words: inWords([
      ...['FROM', warehouseName, ...(order ? ['CONSIGNMENT', order.number] : []), ...texts],
      ...['Unit', unit.number, ...reference, 'Client', clientName, sscc ?? unit.number],
    ]),
    codes: [sscc === null ? (unit.number as string) : `00${unit.name}`],
  }
}

const isCounted = ({ words }: Print) => words.includes('PRODUCTS')

async function compareUnit(world: World, unit: Unit): Promise<void> {
  const path = `/v1/logistic-units/${unit.id}/label`
  const [told] = await labels(world, path)
  assert.ok(told, `the pallet ${unit.name} has no label`)
  sameText(told, printOf(world, unit, isCounted(told)), `the label of the pallet ${unit.name}`)
  if (unit === [...world.notebook.floor.units.values()].at(-1)) await comparePdf(world, path, told)
}

/** The same label on paper. */
async function comparePdf({ caller, notebook }: World, path: string, { words, codes }: Print): Promise<void> {
  if (notebook.floor.journal.length % 4 !== 0) return
  const { bytes } = await untilNotBusy(() => caller.get(path))
  sameText(inWords((await linesOf(bytes)).flat()), words, `${path} as PDF`)
  const alts = [
    ...Buffer.from(bytes)
      .toString('latin1')
      .matchAll(/\/Alt \((?:Code|GS1-)[ ]?128: (.*?)\)\n/g),
  ]
  sameText(
    alts.map(([, code = '']) => code.replace(/[\\()]/g, '')),
    codes,
    `the codes of ${path} as PDF`,
  )
}

/** The labels of the pallets that are wholly those of an order. */
async function compareOrder(world: World, order: Consignment): Promise<void> {
  const { floor } = world.notebook
  const units = [...floor.units.values()].filter(unit => orderOf(world, unit) === order)
  const path = `/v1/consignments/${order.id}/pallet-labels`
  if (units.length === 0 || order.status === Status.Void) {
    const { status } = await untilNotBusy(() => world.caller.get(`${path}?Format=2`))
    sameText(status, 400, `${path}, of no pallet`)
    return
  }
  const told = await labels(world, path)
  const byWords = (prints: readonly Print[]) => prints.map(print => JSON.stringify(print)).toSorted()
  const known = units.map((unit, i) => printOf(world, unit, isCounted(told[i] ?? { words: [], codes: [] })))
  sameText(byWords(told), byWords(known), `the labels of the pallets of ${order.number}`)
}
