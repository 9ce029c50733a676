// The request of an import as the fields that a person reads and corrects. A request has any of the
// contract's fields, so their labels are made from their names.

/** A value of a request, with its place. */
export interface Leaf {
  /** as the API writes places: `products[0].items[0].quantity` */
  path: string
  /** the part of the request that it belongs to: '', `consigneeAddress`, `products[0]` */
  group: string
  label: string
  value: string | number | boolean
}

/** Every value of a request in its order. What is null is left out. */
export function leavesOf(request: unknown): readonly Leaf[] {
  const leaves: Leaf[] = []
  const collect = (value: unknown, path: string): void => {
    if (value === null || value === undefined) return
    if (Array.isArray(value)) for (const [i, one] of value.entries()) collect(one, `${path}[${i}]`)
    else if (typeof value === 'object')
      for (const [name, one] of Object.entries(value)) collect(one, path === '' ? name : `${path}.${name}`)
    else leaves.push({ path, group: groupOf(path), label: labelOf(path), value: value as Leaf['value'] })
  }
  collect(request, '')
  return leaves
}

const groupOf = (path: string): string => (/[.[]/.test(path) ? (/^\w+(\[\d+\])?/.exec(path)?.[0] ?? '') : '')

/** `products[0].items[0].quantity` is *Quantity*; `poNumber` is *PO number*. */
function labelOf(path: string): string {
  const group = groupOf(path)
  // Most lines have one kind of items.
  return inWords(path.slice(group.length).replace(/^\.(items\[0\]\.)?/, ''))
}

/** `originAddress` is *Origin address*, `notes[1]` is *Notes 2*. */
export const groupInWords = (group: string): string => inWords(group)

const abbreviations: Readonly<Record<string, string>> = { kg: 'kg', m3: 'm³' }

function inWords(path: string): string {
  const words = path
    .replace(/\[(\d+)\]/g, (_, i: string) => ` ${Number(i) + 1}`)
    .replaceAll('.', ' ')
    .replace(/[A-Z]+(?![a-z])|[A-Z]/g, letters => ` ${letters.toLowerCase()}`)
    .replace(/\b(po|so|sscc|kg|m3|url)\b/g, name => abbreviations[name] ?? name.toUpperCase())
    .replace(/\s+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The request with another value at a place. */
export function withValue(request: unknown, path: string, value: Leaf['value']): unknown {
  const [whole = '', index, field] = /^(?:\[(\d+)\]|\.?([^.[]+))/.exec(path) ?? []
  const name = index ?? field
  if (name === undefined || typeof request !== 'object' || request === null) return value
  const copy = (Array.isArray(request) ? [...request] : { ...request }) as Record<string, unknown>
  copy[name] = withValue(copy[name], path.slice(whole.length), value)
  return copy
}
