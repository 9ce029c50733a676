// The command line: reads .env and runs one of the commands that src/commands/program.ts lists.
// `./waybill <command> --help` describes them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseEnv } from 'node:util'
import { createProgram } from './commands/program.ts'
import { describeFault } from './commands/refused-options.ts'
import { Refusal } from './platform/http/refusal.ts'
import { ConfigError, ownFolder } from './process/config.ts'
import { findMisspelt } from './process/misspelt-settings.ts'

const namesInFile = readEnvFile()

const program = createProgram()
program.hook('preAction', () => {
  const { faults, notices } = findMisspelt(process.env, namesInFile)
  for (const notice of notices) console.error(notice)
  if (faults.length > 0) throw new ConfigError(faults)
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof Refusal) console.error(error.faults.map(describeFault).join('\n'))
  else if (error instanceof ConfigError || process.env.LOG_LEVEL !== 'debug')
    console.error((error as Error).message)
  else console.error(error)
  process.exit(1)
}

/** Adds the values of .env to the environment, which takes precedence. Returns the names in .env. */
function readEnvFile(): string[] {
  const path = join(ownFolder, '.env')
  try {
    const values = parseEnv(readFileSync(path, 'utf8'))
    for (const [name, value] of Object.entries(values)) process.env[name] ??= value
    return Object.keys(values)
  } catch (error) {
    // The file is optional: the environment and the defaults are enough.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    console.error(`The settings in ${path} cannot be read. (${(error as Error).message})`)
    process.exit(1)
  }
}
