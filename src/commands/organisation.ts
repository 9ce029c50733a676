// `./waybill organisation`: the tenants of the service.

import type { Command } from 'commander'
import { listOrganisations } from '../organisations/listings.ts'
import { createOrganisation, type NewOrganisation } from '../organisations/organisation.ts'
import { administer, withStore } from './administer.ts'
import { type JsonOption, jsonOption, print, printTable } from './print.ts'

/** Adds `organisation list` and `organisation create`. */
export function addOrganisation(program: Command): void {
  const organisation = program
    .command('organisation')
    .description('organisations: the tenants of the service')
  organisation
    .command('list')
    .description('list the organisations')
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      const organisations = await withStore(({ database }) => listOrganisations(database.db))
      const rows = organisations.map(({ id, consignmentPrefix, timezoneId, name }) => [
        id,
        consignmentPrefix,
        timezoneId,
        name,
      ])
      print(json, { organisations }, printTable(['ID', 'PREFIX', 'TIME ZONE', 'NAME'], rows))
    })
  organisation
    .command('create')
    .description('create an organisation')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--prefix <letters>', '3 to 6 capital letters with which its consignment numbers begin')
    .requiredOption('--timezone <zone>', 'IANA time zone, such as Pacific/Auckland')
    .option(...jsonOption)
    .action(async ({ json, ...newOrganisation }: NewOrganisation & JsonOption) => {
      const organisationId = await administer(tx => createOrganisation(tx, newOrganisation))
      print(json, { organisationId }, `Organisation ${newOrganisation.name} has the id ${organisationId}.`)
    })
}
