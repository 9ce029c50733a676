// The particulars of a charge, which are its description on a bill: a text with placeholders. Pure.

/** The placeholders that particulars may contain. */
export const placeholders = [
  'activityName',
  'productCode',
  'productName',
  'taskType',
  'consumableType',
  'carrierName',
  'origin',
  'destination',
  'containerNumber',
  'referenceNumber',
  'metric',
  'unit',
  'rate',
  'from',
  'to',
  'fafPercent',
] as const
export type Placeholder = (typeof placeholders)[number]

const known: ReadonlySet<string> = new Set(placeholders)

/** The unknown placeholders of a text, with their braces. */
export const unknownPlaceholders = (text: string): string[] =>
  [...text.matchAll(/\{([^{}]*)\}/g)].flatMap(([whole, name = '']) => (known.has(name) ? [] : [whole]))

/** Fills in the placeholders of a text; those without a value become empty. At most 4,000 characters. */
export const fillParticulars = (text: string, values: Partial<Record<Placeholder, string | null>>): string =>
  (text.includes('{')
    ? text.replace(/\{([^{}]*)\}/g, (_, name: string) => values[name as Placeholder] ?? '')
    : text
  )
    .trim()
    .slice(0, 4_000)
