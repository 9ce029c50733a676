// `./waybill user`: the users of an organisation.

import { type Command, Option } from 'commander'
import { type Role, roles } from '../access/roles.ts'
import { listUsers } from '../organisations/listings.ts'
import { createUser, hashNewPassword } from '../users/create-user.ts'
import { setPassword } from '../users/set-password.ts'
import { administer, withStore } from './administer.ts'
import { askPassword } from './ask-password.ts'
import { type JsonOption, jsonOption, organisationOption, print, printTable } from './print.ts'

/** Adds `user list`, `user create` and `user set-password`. */
export function addUser(program: Command): void {
  const user = program.command('user').description('the users of an organisation')
  addList(user)
  addCreate(user)
  addSetPassword(user)
}

function addList(user: Command): void {
  user
    .command('list')
    .description('list the users')
    .option(...organisationOption)
    .option(...jsonOption)
    .action(async ({ json, organisation }: JsonOption & { organisation?: string }) => {
      const users = await withStore(({ database }) => listUsers(database.db, organisation))
      const rows = users.map(user => [
        user.id,
        user.organisationId,
        user.role,
        user.isDisabled ? 'disabled' : user.hasPassword ? 'enabled' : 'without a password',
        user.email,
        user.fullName,
      ])
      const head = ['ID', 'ORGANISATION', 'ROLE', 'STATE', 'EMAIL', 'NAME']
      print(json, { users }, printTable(head, rows))
    })
}

interface NewUserOptions extends JsonOption {
  organisation: string
  email: string
  fullName: string
  role: Role
  partner?: string
  passwordStdin?: boolean
}

function addCreate(user: Command): void {
  user
    .command('create')
    .description('create a user')
    .requiredOption('--organisation <id>', 'id of the organisation')
    .requiredOption('--email <address>', 'email address, which the user signs in with')
    .requiredOption('--full-name <name>', 'full name')
    .addOption(
      new Option('--role <role>', 'what the user may do when signed in').choices(roles).default('member'),
    )
    .option('--partner <id>', 'id of a partner; the user then sees only the records of that partner')
    .option(
      '--password-stdin',
      'read the password from standard input; without one, the user can sign in after user set-password',
    )
    .option(...jsonOption)
    .action(async ({ json, ...options }: NewUserOptions) => {
      const { organisation: organisationId, partner: partnerId, email, fullName, role } = options
      const newUser = { organisationId, partnerId, email, fullName, role }
      const passwordHash = options.passwordStdin
        ? await hashNewPassword(newUser, await askPassword())
        : undefined
      const userId = await administer(tx => createUser(tx, { ...newUser, passwordHash }))
      const next =
        passwordHash === undefined
          ? `\nThe user cannot sign in yet: set a password with ./waybill user set-password --email ${email}.`
          : ''
      print(json, { userId }, `User ${email} has the id ${userId}.${next}`)
    })
}

function addSetPassword(user: Command): void {
  user
    .command('set-password')
    .description('set the password of a user, typed at a prompt or given as the first line of standard input')
    .requiredOption('--email <address>', 'email address of the user')
    .option('--organisation <id>', 'id of the organisation, if several have a user with this email')
    .option(...jsonOption)
    .action(async ({ json, email, organisation }: JsonOption & { email: string; organisation?: string }) => {
      const password = await askPassword()
      const userId = await withStore(({ database }) =>
        setPassword(database, { email, organisationId: organisation }, password),
      )
      print(json, { userId }, `User ${email} has a new password.`)
    })
}
