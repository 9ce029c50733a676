// The texts of the rules by which stock is chosen and described: those of a client, and those that a product
// has of its own.

import {
  AttributeUsage,
  RotationMethod,
  StockDepletionMethod,
  Substitution,
} from '../../../client/src/waybill.ts'
import { plural } from '../../../ui/plural.ts'
import { dateWords } from './goods-dates.ts'

const rotations: Readonly<Record<number, string>> = {
  [RotationMethod.None]: 'No order',
  [RotationMethod.Batch]: 'By batch',
  [RotationMethod.ExpiryAscending]: 'Earliest expiry first',
  [RotationMethod.ExpiryDescending]: 'Latest expiry first',
  [RotationMethod.ProductionDateAscending]: 'Oldest production first',
  [RotationMethod.ProductionDateDescending]: 'Newest production first',
  [RotationMethod.BestBeforeDateAscending]: 'Earliest best before first',
  [RotationMethod.BestBeforeDateDescending]: 'Latest best before first',
  [RotationMethod.SellByDateAscending]: 'Earliest sell by first',
  [RotationMethod.SellByDateDescending]: 'Latest sell by first',
  [RotationMethod.PackagingDateAscending]: 'Oldest packaging first',
  [RotationMethod.PackagingDateDescending]: 'Newest packaging first',
  [RotationMethod.ReceivedDateAscending]: 'First received first',
  [RotationMethod.ReceivedDateDescending]: 'Last received first',
}
const depletions: Readonly<Record<number, string>> = {
  [StockDepletionMethod.FIFO]: 'First in, first out',
  [StockDepletionMethod.LIFO]: 'Last in, first out',
}
const substitutions: Readonly<Record<number, string>> = {
  [Substitution.Allowed]: 'Another will do',
  [Substitution.NotAllowed]: 'Exactly as ordered',
}
const usages: Readonly<Record<number, string>> = {
  [AttributeUsage.Hidden]: 'Not kept',
  [AttributeUsage.Optional]: 'Kept if known',
  [AttributeUsage.Required]: 'Required',
}

/** What stock is described by, in the order of screens. */
export const marks = [
  'batch',
  'expiry',
  'bestBeforeDate',
  'sellByDate',
  'productionDate',
  'packagingDate',
] as const
export type Mark = (typeof marks)[number]

const { expiryDate, ...otherDates } = dateWords
const markWords: Readonly<Record<Mark | 'serial', string>> = {
  ...otherDates,
  batch: 'Batch',
  expiry: expiryDate,
  serial: 'Serial',
}

const low = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
const listed = (texts: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(texts)

/** The rules that decide, as far as they are known. */
export interface StockRules {
  rotation: number | null
  second: number | null
  depletion: number | null
  /** by mark: whether another one will do */
  substitution: Readonly<Partial<Record<Mark | 'serial', number | null>>>
  /** by mark: what is kept */
  usage: Readonly<Partial<Record<Mark, number | null>>>
  /** by mark: how many days before its date stock is critical */
  critical: Readonly<Partial<Record<Mark, number | null>>>
}

const ofUsage = (usage: StockRules['usage'], wanted: number) =>
  marks.filter(mark => usage[mark] === wanted).map(mark => low(markWords[mark]))

export const stockRuleWords = {
  stockRules: 'Stock rules',
  asClient: 'As the client',
  rotation: 'Order',
  second: 'Then',
  depletion: 'Of the rest',
  substitution: 'If another product is there',
  substitutionOf: (mark: Mark | 'serial') => `Ordered ${low(markWords[mark])}`,
  usageOf: (mark: Mark) => markWords[mark],
  criticalOf: (mark: Mark) => `Critical days, ${low(markWords[mark])}`,
  rotations,
  depletions,
  substitutions,
  usages,
  ownRulesOnly: 'Only what the product has of its own is said here; all else is as the client has it.',
  noOwnRules: 'The product has no rules of its own: all is as the client has it.',

  /** The rules as sentences. */
  sentences: ({
    rotation,
    second,
    depletion,
    substitution,
    usage,
    critical,
  }: StockRules): readonly string[] => {
    const [required, kept] = [
      ofUsage(usage, AttributeUsage.Required),
      ofUsage(usage, AttributeUsage.Optional),
    ]
    const order = [rotation, second].flatMap(method =>
      method === null || method === RotationMethod.None ? [] : [rotations[method] ?? ''],
    )
    const strict = Object.entries(substitution).flatMap(([mark, value]) =>
      value === Substitution.NotAllowed ? [low(markWords[mark as Mark])] : [],
    )
    const days = Object.entries(critical).flatMap(([mark, value]) =>
      value === null || value === undefined
        ? []
        : [`${plural(value, 'day')} before ${low(markWords[mark as Mark])}`],
    )
    return [
      ...(order.length > 0 ? [`Stock is taken ${order.map(low).join(', then ')}.`] : []),
      ...(depletion === null ? [] : [`What is alike is taken ${low(depletions[depletion] ?? '')}.`]),
      ...(required.length > 0 ? [`Goods are received only with ${listed(required)}.`] : []),
      ...(kept.length > 0 ? [`Kept if known: ${listed(kept)}.`] : []),
      ...(strict.length > 0 ? [`What is ordered by ${listed(strict)} gets exactly that.`] : []),
      ...(days.length > 0 ? [`Stock is critical ${listed(days)}.`] : []),
    ]
  },
} as const
