// The command line: reads .env and runs a command, of which src/commands has a file each.
// `./waybill <command> --help` describes it.

import { join } from 'node:path'
import process from 'node:process'
import { Command } from 'commander'
import { addApp } from './commands/app.ts'
import { addCheckStock } from './commands/check-stock.ts'
import { addKeys } from './commands/keys.ts'
import { addMigrate } from './commands/migrate.ts'
import { addOrganisation } from './commands/organisation.ts'
import { addPorts } from './commands/ports.ts'
import { inOptions } from './commands/refused-options.ts'
import { addDemo, addStart } from './commands/start.ts'
import { addUser } from './commands/user.ts'
import { Refusal } from './platform/http/refusal.ts'
import { ConfigError, ownFolder } from './process/config.ts'
import { version } from './process/version.ts'

try {
  process.loadEnvFile(join(ownFolder, '.env'))
} catch (error) {
  // Without the file, the environment and the defaults are enough.
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
    console.error(`The settings cannot be read. (${(error as Error).message})`)
    process.exit(1)
  }
}

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
  addCheckStock,
  addPorts,
  addKeys,
]
for (const add of commands) add(program)

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof Refusal) console.error(error.faults.map(inOptions).join('\n'))
  else if (error instanceof ConfigError || process.env.LOG_LEVEL !== 'debug')
    console.error((error as Error).message)
  else console.error(error)
  process.exit(1)
}
