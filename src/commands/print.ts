// How commands print their result: a sentence or a table for people, one line of JSON for programs.

/** The parsed option `--json`. */
export interface JsonOption {
  json?: boolean
}

/** The flag and the description of the option. */
export const jsonOption = ['--json', 'print JSON'] as const

/** The flag and the description of the option that filters a list. */
export const organisationOption = ['--organisation <id>', 'only those of this organisation'] as const

/** Prints the result as JSON if that is requested, or else the text. */
export function print(json: boolean | undefined, result: object, text: string): void {
  if (json) printJson(result)
  else console.log(text)
}

/** Prints one line of JSON. */
export function printJson(result: object): void {
  console.log(JSON.stringify(result))
}

/** Formats a table for people: a header line and the rows, in columns as wide as their contents. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map(row => row[i]?.length ?? 0)))
  return [head, ...rows]
    .map(row => row.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  '))
    .map(line => line.trimEnd())
    .join('\n')
}
