// How commands say what they found: a sentence or a table for people, one line of JSON for programs.

/** What every command that takes `--json` is given. */
export interface JsonOption {
  json?: boolean
}

/** The flag and the words of the option. */
export const jsonOption = ['--json', 'print JSON'] as const

/** The flag and the words of the option that narrows a list. */
export const ofOrganisation = ['--organisation <id>', 'only those of this organisation'] as const

/** Prints the result as JSON where that is asked for, else the text. */
export function print(json: boolean | undefined, result: object, text: string): void {
  if (json) printJson(result)
  else console.log(text)
}

/** Prints one line of JSON. */
export function printJson(result: object): void {
  console.log(JSON.stringify(result))
}

/** A table for people: a head, and below it the rows, in columns as wide as what is in them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map(row => row[i]?.length ?? 0)))
  return [head, ...rows]
    .map(row => row.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  '))
    .map(line => line.trimEnd())
    .join('\n')
}
