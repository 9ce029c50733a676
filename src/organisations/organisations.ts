// The settings of the caller's organisation. Open-points 3 and 8.

import { type Db, sql } from '../platform/database/db.ts'
import { updateFields } from '../platform/database/write.ts'
import { changed, endpoint, json } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { changeables, IntegerEnum, Name, named, TimeZone, Type, Uuid } from '../platform/http/schema.ts'
import { FullPalletAllocation } from './enumerations.ts'
import { Prefix } from './organisation.ts'

// How stock is allocated and counted.
const stockSettings = {
  fullPalletAllocation: IntegerEnum(FullPalletAllocation),
  isFullPalletFirst: {
    ...Type.Boolean(),
    description: 'Whole pallets go first among stock that rotation holds equal.',
  },
  isCountApprovedByAnother: {
    ...Type.Boolean(),
    description: 'Who counted stock may not approve the count.',
  },
}

// How money is looked after.
const moneySettings = {
  rateCardsNeedTwo: {
    ...Type.Boolean(),
    description: 'Who edited a version of a rate card last may not approve it.',
  },
  closingDemandsRates: {
    ...Type.Boolean(),
    description: 'Work that nothing charges keeps a consignment from being Closed.',
  },
}

const Organisation = named(
  'Organisation',
  Type.Object({
    id: Uuid,
    name: Type.String(),
    timezoneId: Type.String(),
    consignmentPrefix: Type.String(),
    ...stockSettings,
    ...moneySettings,
  }),
)

const fields = {
  name: Name,
  timezoneId: TimeZone,
  consignmentPrefix: Prefix,
  ...stockSettings,
  ...moneySettings,
}

export const organisations = [
  endpoint({
    get: '/v1/organisation',
    name: 'getOrganisation',
    partners: 'none',
    scope: 'organisation.read',
    extension: true,
    summary: "Read the organisation's settings",
    answer: json(Organisation),
    async handle({ db, actor }) {
      return db.row(
        sql`select id, name, timezone_id, consignment_prefix, full_pallet_allocation, is_full_pallet_first,
            is_count_approved_by_another, rate_cards_need_two, closing_demands_rates
          from organisation where id = ${actor.organisationId}`,
      )
    },
  }),
  endpoint({
    put: '/v1/organisation',
    name: 'updateOrganisation',
    partners: 'none',
    scope: 'organisation',
    extension: true,
    summary: "Change the organisation's settings",
    description: 'The prefix of consignment numbers is fixed once there is a consignment.',
    body: named('OrganisationChange', Type.Object(changeables(fields))),
    answer: changed,
    async handle({ tx, actor, body }) {
      const consignmentPrefix = body.consignmentPrefix?.toUpperCase()
      if (consignmentPrefix !== undefined)
        await requireFreePrefix(tx, actor.organisationId, consignmentPrefix)
      const where = sql`id = ${actor.organisationId}`
      return (
        (await tx.run(
          updateFields('organisation', Object.keys(fields), { ...body, consignmentPrefix }, where),
        )) > 0
      )
    },
  }),
]

/**
 * Refuses (400) another prefix once there are consignments. Locks the organisation, so that none comes
 * between.
 */
async function requireFreePrefix(tx: Db, organisationId: string, prefix: string): Promise<void> {
  const known = await tx.row<{ consignmentPrefix: string; lastConsignmentNumber: number }>(sql`
    select consignment_prefix, last_consignment_number from organisation
    where id = ${organisationId} for no key update`)
  if (known.lastConsignmentNumber > 0 && known.consignmentPrefix !== prefix) {
    throw verificationFailed(
      faultAt('consignmentPrefix', 'cannot change once the organisation has consignments', 'state'),
    )
  }
}
