// The commands of the command line. Each has a file in this folder.

import { Command, Help } from 'commander'
import { version } from '../process/version.ts'
import { addApp } from './app.ts'
import { addBackup } from './backup.ts'
import { addBridge } from './bridge.ts'
import { addCheckMoney } from './check-money.ts'
import { addCheckStock } from './check-stock.ts'
import { addDoctor } from './doctor.ts'
import { addKeys } from './keys.ts'
import { addListen } from './listen.ts'
import { addMigrate } from './migrate.ts'
import { addOrganisation } from './organisation.ts'
import { addPorts } from './ports.ts'
import { addRestore } from './restore.ts'
import { addDemo, addStart } from './start.ts'
import { addUser } from './user.ts'

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
  addCheckMoney,
  addPorts,
  addKeys,
  addBridge,
  addListen,
]

const optionDescription: Help['optionDescription'] = option =>
  `${Help.prototype.optionDescription(option)}${option.mandatory ? ' (required)' : ''}`

/** Builds the command line with all its commands; runs nothing. */
export function createProgram(): Command {
  const program = new Command('./waybill')
    .description(
      'Open, self-hosted warehouse and consignment management. Settings come from the environment; see ' +
        '.env.example.',
    )
    .version(version)
    .showHelpAfterError('Run with --help to see the commands and options.')
    .configureHelp({ optionDescription })
  for (const add of commands) add(program)
  return program
}
