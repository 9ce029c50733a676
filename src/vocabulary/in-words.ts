// The names of enumerations as people say them, in sentences for them. Fields of the API have the names.

/** Converts `ReadyToPick` to `Ready to pick`. */
export const nameInWords = (name: string): string =>
  name.replace(/(?<=[a-z])[A-Z]/g, capital => ` ${capital.toLowerCase()}`)

/** The name of a value of an enumeration in words: `Ready to pick`. */
export function inWords(enumeration: Readonly<Record<string, number>>, value: unknown): string {
  const name = Object.keys(enumeration).find(key => enumeration[key] === value) ?? String(value)
  return nameInWords(name)
}
