// What a charge says on a bill: a text with placeholders. Pure.

/** What the placeholders of particulars stand for. */
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

/** The placeholders of a text that there are not, as they stand there. */
export const unknownPlaceholders = (text: string): string[] =>
  [...text.matchAll(/\{([^{}]*)\}/g)].flatMap(([whole, name = '']) => (known.has(name) ? [] : [whole]))

/** The text with its placeholders filled in; those for which there is nothing are left out. */
export const fillParticulars = (text: string, values: Partial<Record<Placeholder, string | null>>): string =>
  (text.includes('{')
    ? text.replace(/\{([^{}]*)\}/g, (_, name: string) => values[name as Placeholder] ?? '')
    : text
  )
    .trim()
    .slice(0, 4_000)
