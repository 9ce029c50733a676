// `./waybill app`: custom apps, which integrations sign in with.

import { type Command, InvalidArgumentError, Option } from 'commander'
import { scopes } from '../access/scopes.ts'
import { createCustomApp, disableCustomApp, enableCustomApp } from '../custom-apps/create-app.ts'
import { defaultOverlapHours, maxOverlapHours, replaceSecret } from '../custom-apps/replace-secret.ts'
import { listApps } from '../organisations/listings.ts'
import { sql } from '../platform/database/db.ts'
import { GrantType } from '../vocabulary/organisations.ts'
import { administer, withStore } from './administer.ts'
import { type JsonOption, jsonOption, organisationOption, print, printTable } from './print.ts'

/** Adds `app list`, `app create`, `app disable`, `app enable` and `app rotate-secret`. */
export function addApp(program: Command): void {
  const app = program.command('app').description('custom apps: what integrations sign in with')
  addList(app)
  addCreate(app)
  addDisable(app)
  addEnable(app)
  addRotateSecret(app)
}

function addList(app: Command): void {
  app
    .command('list')
    .description('list the custom apps')
    .option(...organisationOption)
    .option(...jsonOption)
    .action(async ({ json, organisation }: JsonOption & { organisation?: string }) => {
      const apps = await withStore(({ database }) => listApps(database.db, organisation))
      const rows = apps.map(app => [
        app.clientId,
        app.organisationId,
        app.grantType === GrantType.AuthorisationCode ? 'authorization_code' : 'client_credentials',
        app.isDisabled ? 'disabled' : 'enabled',
        app.name,
        app.scopes.join(' '),
      ])
      const head = ['CLIENT ID', 'ORGANISATION', 'GRANT', 'STATE', 'NAME', 'SCOPES']
      print(json, { apps }, printTable(head, rows))
    })
}

interface NewAppOptions extends JsonOption {
  organisation: string
  name: string
  grant: 'client_credentials' | 'authorization_code'
  scopes: string
  redirectUri?: string[]
  description?: string
}

function addCreate(app: Command): void {
  app
    .command('create')
    .description('create a custom app and print its secret, which is shown only once')
    .requiredOption('--organisation <id>', 'id of the organisation')
    .requiredOption('--name <name>', 'its name')
    .addOption(
      new Option('--grant <grant>', 'how it gets tokens')
        .choices(['client_credentials', 'authorization_code'])
        .default('client_credentials'),
    )
    .requiredOption('--scopes <scopes>', `its scopes, separated by spaces: ${scopes.join(' ')}`)
    .option('--redirect-uri <uri...>', 'where authorization_code returns to')
    .option('--description <text>', 'what it is for')
    .option(...jsonOption)
    .action(async ({ json, ...options }: NewAppOptions) => {
      const created = await administer(async (tx, store) =>
        createCustomApp(tx, await store.openSecrets(), {
          organisationId: options.organisation,
          name: options.name,
          grantType:
            options.grant === 'authorization_code'
              ? GrantType.AuthorisationCode
              : GrantType.ClientCredentials,
          scopes: options.scopes.split(/\s+/).filter(scope => scope !== ''),
          redirectUris: options.redirectUri ?? [],
          description: options.description ?? null,
        }),
      )
      print(json, created, secretText(created))
    })
}

/** The credentials of an app, as text for people. */
const secretText = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
  `client id      ${clientId}\nclient secret  ${clientSecret}\nThe secret is not shown again.`

function addDisable(app: Command): void {
  app
    .command('disable')
    .description('disable a custom app: its tokens are refused within ten seconds')
    .requiredOption('--client-id <id>', 'client id of the app')
    .option(...jsonOption)
    .action(async ({ json, clientId }: JsonOption & { clientId: string }) => {
      const customAppId = await administer(tx => disableCustomApp(tx, clientId))
      print(json, { customAppId }, `The app ${clientId} is disabled.`)
    })
}

function addEnable(app: Command): void {
  app
    .command('enable')
    .description('enable a custom app again: it gets tokens, and webhooks that waited are sent')
    .requiredOption('--client-id <id>', 'client id of the app')
    .option(...jsonOption)
    .action(async ({ json, clientId }: JsonOption & { clientId: string }) => {
      const customAppId = await administer(tx => enableCustomApp(tx, clientId))
      print(json, { customAppId }, `The app ${clientId} is enabled.`)
    })
}

function addRotateSecret(app: Command): void {
  app
    .command('rotate-secret')
    .description(
      'make a new secret, which signs webhooks at once, and print it, only once; the previous secret stays ' +
        'valid for a while',
    )
    .requiredOption('--client-id <id>', 'client id of the app')
    .addOption(
      new Option('--overlap-hours <hours>', 'how long the previous secret stays valid')
        .argParser(parseOverlapHours)
        .default(defaultOverlapHours),
    )
    .option(...jsonOption)
    .action(async ({ json, clientId, overlapHours }: RotationOptions) => {
      const secret = await administer(async (tx, store) =>
        replaceSecret(tx, await store.openSecrets(), sql`client_id = ${clientId}`, overlapHours),
      )
      const { previousSecretExpiresUtc: until } = secret
      const note = `The previous secret is valid until ${until}; any older one is no longer valid.`
      print(json, { clientId, ...secret }, `${secretText({ clientId, ...secret })}\n${note}`)
    })
}

interface RotationOptions extends JsonOption {
  clientId: string
  overlapHours: number
}

/** Parses a whole number of hours, up to a week. Throws for anything else. */
function parseOverlapHours(text: string): number {
  const hours = Number(text)
  if (!/^\d+$/.test(text) || hours > maxOverlapHours)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${maxOverlapHours}.`)
  return hours
}
