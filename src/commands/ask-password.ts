// Reads a password for the command line: typed at a terminal without being shown, or the first line of
// standard input.

import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks for a password. Throws if none is given, or if the two that were typed differ. */
export async function askPassword(): Promise<string> {
  const read = process.stdin.isTTY ? readTyped : readPiped
  const password = await read()
  if (password === '') throw new Error('No password was given.')
  return password
}

async function readPiped(): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) return line
  return ''
}

async function readTyped(): Promise<string> {
  // readline echoes what is typed to its output, so its output goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  terminal.on('SIGINT', () => process.exit(130))
  const askHidden = async (prompt: string) => {
    process.stderr.write(prompt)
    const line = await terminal.question('')
    process.stderr.write('\n')
    return line
  }
  try {
    const password = await askHidden('Password: ')
    if ((await askHidden('Once more: ')) !== password) throw new Error('The two passwords differ.')
    return password
  } finally {
    terminal.close()
  }
}
