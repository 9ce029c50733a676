// The command line: serve, migrate, administer. `./waybill <command> --help` describes each.

import { join } from 'node:path'
import process from 'node:process'
import { Command, Option } from 'commander'
import { type Role, roles } from './oauth/effective-scopes.ts'
import { createCustomApp, disableCustomApp } from './organisations/create-app.ts'
import { createUser, hashNewPassword } from './organisations/create-user.ts'
import { createOrganisation } from './organisations/organisation.ts'
import { setPassword } from './organisations/set-password.ts'
import { sql, type Tx } from './platform/database/db.ts'
import type { Fault } from './platform/http/fault.ts'
import { Refusal } from './platform/http/refusal.ts'
import { scopes } from './platform/http/scopes.ts'
import { sendHints } from './platform/work/hints.ts'
import { askPassword } from './process/ask-password.ts'
import { type Config, ConfigError, ownFolder, readConfig } from './process/config.ts'
import type { Store } from './process/store.ts'
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

const jsonWhenReady = 'print one line of JSON when it is ready; everything else goes to standard error'

program
  .command('start')
  .description('serve the API and do its background work (ROLES chooses one of them)')
  .option('--json', jsonWhenReady)
  .action(async ({ json }: { json?: boolean }) => {
    const { serve } = await import('./process/serve.ts')
    const { baseUrl, authUrl } = await serve(readConfig(), json)
    if (json) printJson({ baseUrl, authUrl })
  })

program
  .command('demo')
  .description(
    'serve with a demo organisation: loads it, imports a consignment in front of your eyes, and keeps ' +
      'serving',
  )
  .option('--json', jsonWhenReady)
  .action(async ({ json }: { json?: boolean }) => {
    const { serveDemo } = await import('./demo/demo.ts')
    const demo = await serveDemo(readConfig(undefined, { quiet: true }), json)
    if (json) printJson(demo)
  })

program
  .command('migrate')
  .description('bring the database up to date and stop')
  .option('--json', 'print JSON')
  .action(async ({ json }: { json?: boolean }) => {
    const { openStore } = await import('./process/store.ts')
    const store = await openStore(readConfig(), quiet)
    await store.close()
    const text =
      store.migrated.length === 0 ? 'The database is up to date.' : `Applied ${store.migrated.join(', ')}.`
    print(json, { applied: store.migrated }, text)
  })

const organisation = program.command('organisation').description('organisations: the tenants of the service')
organisation
  .command('create')
  .description('create an organisation')
  .requiredOption('--name <name>', 'its name')
  .requiredOption('--prefix <letters>', '3 to 6 capital letters that begin its consignment numbers')
  .requiredOption('--timezone <zone>', 'IANA time zone, such as Pacific/Auckland')
  .option('--json', 'print JSON')
  .action(async ({ json, ...given }: { json?: boolean; name: string; prefix: string; timezone: string }) => {
    const organisationId = await administer(tx => createOrganisation(tx, given))
    print(json, { organisationId }, `Organisation ${given.name} has the id ${organisationId}.`)
  })

const user = program.command('user').description('the people of an organisation')
user
  .command('create')
  .description('create a user')
  .requiredOption('--organisation <id>', 'id of the organisation')
  .requiredOption('--email <address>', 'email address, with which the user signs in')
  .requiredOption('--full-name <name>', 'full name')
  .addOption(
    new Option('--role <role>', 'what the user may do when signed in').choices(roles).default('member'),
  )
  .option('--partner <id>', 'id of the partner whose records alone the user sees')
  .option(
    '--password-stdin',
    'read the password from standard input; without one the user cannot sign in yet',
  )
  .option('--json', 'print JSON')
  .action(async ({ json, ...given }: NewUserOptions) => {
    const { organisation: organisationId, partner: partnerId, email, fullName, role } = given
    const newUser = { organisationId, partnerId, email, fullName, role }
    const passwordHash = given.passwordStdin ? await hashNewPassword(newUser, await askPassword()) : undefined
    const userId = await administer(tx => createUser(tx, { ...newUser, passwordHash }))
    print(json, { userId }, `User ${email} has the id ${userId}.`)
  })
user
  .command('set-password')
  .description('set the password of a user: asked for, or the first line of standard input')
  .requiredOption('--email <address>', 'email address of the user')
  .option('--organisation <id>', 'id of the organisation, where several have a user with this email')
  .option('--json', 'print JSON')
  .action(
    async ({
      json,
      email,
      organisation: organisationId,
    }: {
      json?: boolean
      email: string
      organisation?: string
    }) => {
      const password = await askPassword()
      const userId = await withStore(({ database }) =>
        setPassword(database, { email, organisationId }, password),
      )
      print(json, { userId }, `User ${email} has a new password.`)
    },
  )

const app = program.command('app').description('custom apps: what integrations sign in with')
app
  .command('create')
  .description('create a custom app and print its secret, this once')
  .requiredOption('--organisation <id>', 'id of the organisation')
  .requiredOption('--name <name>', 'its name')
  .addOption(
    new Option('--grant <grant>', 'how it gets tokens')
      .choices(['client_credentials', 'authorization_code'])
      .default('client_credentials'),
  )
  .requiredOption('--scopes <scopes>', `what it may reach, separated by spaces: ${scopes.join(' ')}`)
  .option('--redirect-uri <uri...>', 'where authorization_code returns to')
  .option('--description <text>', 'what it is for')
  .option('--json', 'print JSON')
  .action(async ({ json, ...given }: NewAppOptions) => {
    const created = await administer(async (tx, store) =>
      createCustomApp(tx, await store.openSecrets(), {
        organisationId: given.organisation,
        name: given.name,
        grantType: given.grant === 'authorization_code' ? 1 : 2,
        scopes: given.scopes.split(/\s+/).filter(scope => scope !== ''),
        redirectUris: given.redirectUri ?? [],
        description: given.description ?? null,
      }),
    )
    const text =
      `client id      ${created.clientId}\nclient secret  ${created.clientSecret}\nThe secret ` +
      `is not shown again.`
    print(json, { ...created }, text)
  })
app
  .command('disable')
  .description('disable a custom app: its tokens are refused within ten seconds')
  .requiredOption('--client-id <id>', 'client id of the app')
  .option('--json', 'print JSON')
  .action(async ({ json, clientId }: { json?: boolean; clientId: string }) => {
    const customAppId = await administer(tx => disableCustomApp(tx, clientId))
    print(json, { customAppId }, `The app ${clientId} is disabled.`)
  })

program
  .command('check-stock')
  .description(
    'prove that all stock is what its ledger says, at one moment and while the service runs; ends with 1 ' +
      'where something differs, and changes nothing',
  )
  .option('--organisation <id>', 'only that of this organisation')
  .option('--json', 'print JSON')
  .action(async ({ json, organisation: organisationId }: { json?: boolean; organisation?: string }) => {
    const { proveStock } = await import('./stock/ledger/check-stock.ts')
    const differences = await administer(async tx => {
      await tx.run(sql`set local statement_timeout = 0`)
      return proveStock(tx, organisationId ?? null)
    })
    const told = differences.map(
      ({ rule, organisationId: of, id, stored, computed }) =>
        `${rule}\n  organisation ${of}, ${id}: ${stored}, computed ${computed}`,
    )
    print(json, { differences }, [...told, `${differences.length} differences.`].join('\n'))
    if (differences.length > 0) process.exitCode = 1
  })

const ports = program.command('ports').description('shipping ports by UN/LOCODE')
ports
  .command('import')
  .description(
    "import UNECE's UN/LOCODE code list (its CSV files): adds ports and brings their names up to date, all " +
      'files or none',
  )
  .argument('<files...>', 'files such as "2024-2 UNLOCODE CodeListPart1.csv"')
  .option('--all', 'every place with a code, not only those with a sea or river port')
  .option('--json', 'print JSON')
  .action(async (files: string[], { all, json }: { all?: boolean; json?: boolean }) => {
    const { importPorts } = await import('./reference-data/import-ports.ts')
    const counts = await administer(tx => importPorts(tx, files, { all: all ?? false }))
    const { added, changed, unchanged, left } = counts
    print(
      json,
      counts,
      `${added} ports added, ${changed} changed, ${unchanged} as they were; ${left} places left out.`,
    )
  })

program
  .command('keys')
  .description('the keys that sign access tokens; a new one is made every 90 days')
  .command('rotate')
  .description('make a new key that signs from now on; tokens that the others signed stay good')
  .option(
    '--retire-others',
    'refuse what the others signed, as after a leak: every app has to get a new access token',
  )
  .option('--json', 'print JSON')
  .action(async ({ json, retireOthers }: { json?: boolean; retireOthers?: boolean }) => {
    const { addSigningKey, retireOtherKeys } = await import('./oauth/signing-keys.ts')
    const kid = await administer(async (tx, store) => {
      const added = await addSigningKey(tx, await store.openSecrets())
      if (retireOthers) await retireOtherKeys(tx, added)
      return added
    })
    const text = `Access tokens are signed with the key ${kid} from now on.`
    print(
      json,
      { kid },
      retireOthers ? `${text} Those that other keys signed are refused within 30 seconds.` : text,
    )
  })

interface NewUserOptions {
  json?: boolean
  organisation: string
  email: string
  fullName: string
  role: Role
  partner?: string
  passwordStdin?: boolean
}

interface NewAppOptions {
  json?: boolean
  organisation: string
  name: string
  grant: 'client_credentials' | 'authorization_code'
  scopes: string
  redirectUri?: string[]
  description?: string
}

/** Commands print their result only; what goes wrong is thrown. */
const quiet = { info: () => {}, warn: (message: string) => console.error(message) }

/** Runs a command in one transaction, whether the service is running or not. */
const administer = <T>(work: (tx: Tx, store: Store) => Promise<T>): Promise<T> =>
  withStore(store => store.database.atomically(tx => work(tx, store)))

/** Opens the store for a command, and tells a running service what the command has changed. */
async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const { openStore } = await import('./process/store.ts')
  const config: Config = readConfig()
  const store = await openStore(config, quiet)
  try {
    const result = await work(store)
    // A running service would notice by itself, but later.
    await sendHints(store.database).catch(() => {})
    return result
  } finally {
    await store.close()
  }
}

/** The option that each field comes from. */
const optionNames = new Map(
  Object.entries({
    organisationId: 'organisation',
    name: 'name',
    prefix: 'prefix',
    timezone: 'timezone',
    email: 'email',
    fullName: 'full-name',
    partnerId: 'partner',
    scopes: 'scopes',
    redirectUris: 'redirect-uri',
    description: 'description',
  }),
)

/** A fault of a field as one of the option that it came from. */
function inOptions({ path, message }: Fault): string {
  const [field = '', index] = path?.split(/[[\]]/) ?? []
  const option = optionNames.get(field)
  if (path === null || option === undefined || !message.startsWith(path)) return message
  const name = index === undefined ? `--${option}` : `--${option} (number ${Number(index) + 1})`
  return `${name}${message.slice(path.length)}`
}

function print(json: boolean | undefined, result: object, text: string): void {
  if (json) printJson(result)
  else console.log(text)
}

function printJson(result: object): void {
  console.log(JSON.stringify(result))
}

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof Refusal) console.error(error.faults.map(inOptions).join('\n'))
  else if (error instanceof ConfigError || process.env.LOG_LEVEL !== 'debug')
    console.error((error as Error).message)
  else console.error(error)
  process.exit(1)
}
