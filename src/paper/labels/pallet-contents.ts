// The texts of pallet labels as parts of a column: sender and receiver, and the contents in fields, as a list
// or counted. Pure.

import { formatDate, formatFigure } from '../documents/format.ts'
import {
  type LayoutPart,
  paragraph,
  row,
  stack,
  type TitledValue,
  titledParagraph,
  titledValues,
} from './column.ts'
import { gtin14 } from './gs1.ts'
import type { PalletData, PalletGoods, Party } from './pallet-data.ts'
import { table } from './table-part.ts'

/**
 * How contents are described: one kind of goods in fields, several in a list, or counted if that is too long.
 */
export type ContentStyle = 'fields' | 'list' | 'counts'

/** Sender and receiver side by side, with the consignment below the sender; null if a label has neither. */
export function partiesPart(data: PalletData, scale: number): LayoutPart | null {
  const consignment = titledParagraph('CONSIGNMENT', data.consignmentNumber, {
    ...{ size: 3.2 * scale, smallest: 1.9, titleSize: 1.8 * scale, gap: 2 * scale },
  })
  const from = [...partyParts('FROM', data.from, 2.7 * scale, scale), ...consignment]
  const to = partyParts('TO', data.to, 3.6 * scale, scale)
  if (from.length === 0 && to.length === 0) return null
  if (from.length === 0 || to.length === 0) return stack([...from, ...to])
  return row(
    [
      { part: stack(from), share: 0.38 },
      { part: stack(to), share: 0.62 },
    ],
    { between: 4 * scale, hasRule: true },
  )
}

function partyParts(title: string, party: Party | null, size: number, scale: number): LayoutPart[] {
  if (party === null) return []
  const name = title.toLowerCase()
  return [
    ...paragraph(name, title, { size: 1.9 * scale, smallest: 1.3 }),
    ...paragraph(name, party.name, {
      size: size * 1.1,
      smallest: 1.9,
      lines: 2,
      isBold: true,
      gap: 0.5 * size,
    }),
    ...party.lines.flatMap(line => paragraph(name, line, { size, smallest: 1.8, gap: 0.25 * size })),
  ]
}

/** The contents, and below them what identifies the unit. */
export function contentParts(data: PalletData, style: ContentStyle, scale: number): LayoutPart[] {
  const gap = 2 * scale
  const unit = titledValues(unitValues(data), { size: 2.6 * scale, gap })
  if (style === 'fields') return [...fieldParts(data.contents, scale), ...unit]
  const texts = style === 'list' ? [listPart(data.contents, scale)] : countParts(data.contents, scale)
  return [...unit, ...texts]
}

const unitValues = (data: PalletData): TitledValue[] =>
  (
    [
      ['Unit', data.logisticUnitNumber],
      ['Reference', data.referenceNumber ?? data.consignmentReference],
      ['Client', data.clientName],
    ] as const
  ).flatMap(([title, value]) => (value ? [[title, value] as const] : []))

const quantityOf = ({ quantity, unitName }: Pick<PalletGoods, 'quantity' | 'unitName'>): string =>
  `${formatFigure(quantity)}${unitName === null ? '' : ` ${unitName}`}`

/** A title with its value; two of them side by side unless one is wide. */
type Field = readonly [title: string, value: string | null, isWide?: 'wide']

function fieldRows(fields: readonly Field[], scale: number): LayoutPart[] {
  const type = { size: 4.4 * scale, smallest: 1.9, titleSize: 1.8 * scale, lines: 1, shrink: 0.6 }
  const parts: LayoutPart[] = []
  let left: LayoutPart | null = null
  const add = (part: LayoutPart): void => {
    parts.push({ ...part, gap: 1.7 * scale })
  }
  for (const [title, value, isWide] of fields) {
    for (const part of titledParagraph(title, value, isWide ? { ...type, lines: 2 } : type)) {
      if (left !== null && !isWide) {
        add(
          row([
            { part: left, share: 0.5 },
            { part, share: 0.5 },
          ]),
        )
        left = null
        continue
      }
      if (left !== null) add(left)
      left = isWide ? null : part
      if (isWide) add(part)
    }
  }
  if (left !== null) add(left)
  return parts
}

function fieldParts([content]: readonly PalletGoods[], scale: number): LayoutPart[] {
  if (content === undefined) return []
  const { productCode, productName, gtin, bestBeforeDate, expiryDate, batch, dangerousGoods } = content
  return fieldRows(
    [
      ['PRODUCT', `${productCode} ${productName}`, 'wide'],
      ['CONTENT', gtin14(gtin)],
      ['COUNT', quantityOf(content)],
      ['BEST BEFORE', formatDate(bestBeforeDate)],
      ['EXPIRY', formatDate(expiryDate)],
      ['BATCH/LOT', batch],
      ['DANGEROUS GOODS', dangerousGoods, 'wide'],
    ],
    scale,
  )
}

/** Several kinds of goods in a table. Each date has a column of its own, so that none is under another. */
function listPart(contents: readonly PalletGoods[], scale: number): LayoutPart {
  const columns = [
    { title: 'COUNT', isBold: true, textOf: quantityOf },
    {
      title: 'PRODUCT',
      isWide: true,
      textOf: ({ productCode, productName, dangerousGoods }: PalletGoods) =>
        [productCode, productName, dangerousGoods].filter(Boolean).join(' '),
    },
    { title: 'BATCH/LOT', textOf: ({ batch }: PalletGoods) => batch },
    { title: 'BEST BEFORE', textOf: ({ bestBeforeDate }: PalletGoods) => formatDate(bestBeforeDate) },
    { title: 'EXPIRY', textOf: ({ expiryDate }: PalletGoods) => formatDate(expiryDate) },
  ]
  const type = { size: 2.7 * scale, titleSize: 1.8 * scale }
  return { ...table('contents', contents, columns, type), gap: 2 * scale }
}

/** The number of products and batches, the total and all hazards of goods that are too many for a list. */
function countParts(contents: readonly PalletGoods[], scale: number): LayoutPart[] {
  const count = (textOf: (content: PalletGoods) => string) => new Set(contents.map(textOf)).size
  const units = new Set(contents.map(({ unitName }) => unitName))
  const quantity = contents.reduce((sum, each) => sum + each.quantity, 0)
  const [unitName = null] = units.size === 1 ? units : []
  const hazards = [...new Set(contents.flatMap(({ dangerousGoods }) => dangerousGoods ?? []))]
  return fieldRows(
    [
      ['PRODUCTS', formatFigure(count(({ productCode }) => productCode))],
      ['BATCHES', formatFigure(count(({ productCode, batch }) => `${productCode}\n${batch ?? ''}`))],
      ['COUNT', quantityOf({ quantity: Math.round(quantity * 1e4) / 1e4, unitName }), 'wide'],
      ['DANGEROUS GOODS', hazards.join(', '), 'wide'],
    ],
    scale,
  )
}
