// The command line: reads .env and runs a command, of which src/commands has a file each.
// `./waybill <command> --help` describes it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseEnv } from 'node:util'
import { Command } from 'commander'
import { addApp } from './commands/app.ts'
import { addBackup } from './commands/backup.ts'
import { addBridge } from './commands/bridge.ts'
import { addCheckStock } from './commands/check-stock.ts'
import { addDoctor } from './commands/doctor.ts'
import { addKeys } from './commands/keys.ts'
import { addMigrate } from './commands/migrate.ts'
import { addOrganisation } from './commands/organisation.ts'
import { addPorts } from './commands/ports.ts'
import { inOptions } from './commands/refused-options.ts'
import { addRestore } from './commands/restore.ts'
import { addDemo, addStart } from './commands/start.ts'
import { addUser } from './commands/user.ts'
import { Refusal } from './platform/http/refusal.ts'
import { ConfigError, ownFolder } from './process/config.ts'
import { findMisspelt } from './process/misspelt-settings.ts'
import { version } from './process/version.ts'

const namesInFile = readEnvFile()

const program = new Command('./waybill')
  .description(
    'Open, self-hosted warehouse and consignment management. Settings come from the environment; see ' +
      '.env.example.',
  )
  .version(version)
  .showHelpAfterError('Run with --help to see what is possible.')

const commands = [
  addStart,
  addDemo,
  addMigrate,
  addOrganisation,
  addUser,
  addApp,
  addDoctor,
  addBackup,
  addRestore,
  addCheckStock,
  addPorts,
  addKeys,
  addBridge,
]
for (const add of commands) add(program)
program.hook('preAction', () => {
  const { faults, notices } = findMisspelt(process.env, namesInFile)
  for (const notice of notices) console.error(notice)
  if (faults.length > 0) throw new ConfigError(faults)
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof Refusal) console.error(error.faults.map(inOptions).join('\n'))
  else if (error instanceof ConfigError || process.env.LOG_LEVEL !== 'debug')
    console.error((error as Error).message)
  else console.error(error)
  process.exit(1)
}

/** Adds what .env says to the environment, which goes before it. Returns the names that it has. */
function readEnvFile(): string[] {
  try {
    const values = parseEnv(readFileSync(join(ownFolder, '.env'), 'utf8'))
    for (const [name, value] of Object.entries(values)) process.env[name] ??= value
    return Object.keys(values)
  } catch (error) {
    // Without the file, the environment and the defaults are enough.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    console.error(`The settings cannot be read. (${(error as Error).message})`)
    process.exit(1)
  }
}
