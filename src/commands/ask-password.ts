// Reads a password for the command line: typed at a terminal without being shown, or the first line of what
// is piped in.

import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** The password. Throws when none is given, or when two typed ones differ. */
export async function askPassword(): Promise<string> {
  const ask = process.stdin.isTTY ? typed : piped
  const password = await ask()
  if (password === '') throw new Error('No password was given.')
  return password
}

async function piped(): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) return line
  return ''
}

async function typed(): Promise<string> {
  // The terminal would show what readline repeats, so readline repeats it to nobody.
  const nobody = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nobody, terminal: true })
  terminal.on('SIGINT', () => process.exit(130))
  const hidden = async (prompt: string) => {
    process.stderr.write(prompt)
    const line = await terminal.question('')
    process.stderr.write('\n')
    return line
  }
  try {
    const password = await hidden('Password: ')
    if ((await hidden('Once more: ')) !== password) throw new Error('The two passwords differ.')
    return password
  } finally {
    terminal.close()
  }
}
