// How commands say what they found: a sentence or a table for people, one line of JSON for programs.

/** What every command that takes `--json` is given. */
export interface JsonOption {
  json?: boolean
}

/** The flag and the words of the option. */
export const jsonOption = ['--json', 'print JSON'] as const

/** Prints the result as JSON where that is asked for, else the text. */
export function print(json: boolean | undefined, result: object, text: string): void {
  if (json) printJson(result)
  else console.log(text)
}

/** Prints one line of JSON. */
export function printJson(result: object): void {
  console.log(JSON.stringify(result))
}
