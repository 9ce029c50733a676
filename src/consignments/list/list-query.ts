// The filters of a list of consignments as requests give them, and what callers of partners may filter by.
// Spec 4.2.

import type { Actor } from '../../access/actor.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { searchIn } from '../../platform/http/paging.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, PlainDate, type Static, type TSchema, Type, Uuid } from '../../platform/http/schema.ts'
import {
  ConsignmentPriority,
  ConsignmentStatusFilter,
  ConsignmentType,
} from '../../vocabulary/consignments.ts'
import {
  type ConsignmentFilters,
  ofPartner,
  openConsignmentStatuses,
  selectedStatuses,
  type WorkFilters,
} from './filters.ts'

const ediStatusPattern = '^(null|-?[0-9]{1,9})$'

/** A filter that may be repeated. */
const anyOf = <S extends TSchema>(schema: S) =>
  Type.Optional(
    Type.Array(schema, {
      maxItems: 20,
      orOne: true,
      description: 'May be repeated to match any of the values.',
    }),
  )

const openOnly = 'Only with open statuses.'

/** The filters of a list of consignments. */
export const filterParameters = {
  SearchText: searchIn('consignment number, reference number, container number and client name'),
  ClientId: anyOf(Uuid),
  CarrierId: anyOf(Uuid),
  WarehouseId: anyOf(Uuid),
  Type: anyOf(IntegerEnum(ConsignmentType)),
  Status: anyOf(IntegerEnum(ConsignmentStatusFilter)),
  EdiStatus: Type.Optional(
    Type.Array(Type.String({ pattern: ediStatusPattern, fault: 'must be a whole number or null' }), {
      maxItems: 50,
      description:
        'May be repeated to match any of the values, as the calling connection has set them. `null` ' +
        'matches consignments without one.',
    }),
  ),
  ExternalId: Type.Optional(Type.String({ maxLength: 200, description: 'The exact external id.' })),
  ConsignmentNumbers: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'Exact numbers, separated by commas.' }),
  ),
  DateFrom: Type.Optional({ ...PlainDate, description: 'The first day of dateEntered.' }),
  DateTo: Type.Optional({ ...PlainDate, description: 'The last day of dateEntered.' }),
  Priority: anyOf(IntegerEnum(ConsignmentPriority)),
  DueFrom: Type.Optional({ ...PlainDate, description: `The first day of dueDateTime. ${openOnly}` }),
  DueTo: Type.Optional({ ...PlainDate, description: `The last day of dueDateTime. ${openOnly}` }),
  IsLate: Type.Optional(Type.Boolean({ description: `Whether its step is overdue. ${openOnly}` })),
  IsShort: Type.Optional(Type.Boolean({ description: `Whether a line lacks stock. ${openOnly}` })),
  HasJob: Type.Optional(
    Type.Boolean({ description: `Whether it is in a job that is not Cancelled. ${openOnly}` }),
  ),
  JobId: Type.Optional({ ...Uuid, description: `The job that it is in. ${openOnly}` }),
  City: Type.Optional(
    Type.String({
      maxLength: 200,
      trimmed: true,
      description: `The city of either address, in upper or lower case. ${openOnly}`,
    }),
  ),
}
const filterQuery = Type.Object(filterParameters)
type FilterQuery = Static<typeof filterQuery>

/**
 * The numbers in a comma-separated list; undefined if there are none, as an empty filter filters nothing.
 */
function parseNumbers(list: string): string[] | undefined {
  const numbers = list
    .split(',')
    .map(number => number.trim().toUpperCase())
    .filter(number => number !== '')
  return numbers.length > 0 ? numbers : undefined
}

function workFiltersOf(query: FilterQuery): WorkFilters | undefined {
  const work: WorkFilters = {
    priority: query.Priority,
    dueFrom: query.DueFrom,
    dueTo: query.DueTo,
    isLate: query.IsLate,
    isShort: query.IsShort,
    hasJob: query.HasJob,
    jobId: query.JobId,
    city: query.City || undefined,
  }
  return Object.values(work).some(value => value !== undefined) ? work : undefined
}

/** Refuses (400) what only open consignments are sorted or filtered by, unless all statuses are open ones. */
export function requireOpenStatuses({ status }: ConsignmentFilters): void {
  const statuses = selectedStatuses(status)
  if (statuses.length > 0 && statuses.every(value => openConsignmentStatuses.includes(value))) return
  throw verificationFailed(
    faultAt(
      'Status',
      'must be -1 (Open) or statuses other than Closed and Void, because only open consignments are sorted ' +
        'by when they are due and filtered by Priority, DueFrom, DueTo, IsLate, IsShort, HasJob, JobId and ' +
        'City',
      'invalid',
    ),
  )
}

/**
 * The filters for the caller: a token that belongs to a partner sees only the consignments of which that
 * partner is the client or the carrier. Returns null if nothing can match. Refuses (400) filters that need
 * open statuses without them.
 */
export function filtersFor(actor: Actor, query: FilterQuery): ConsignmentFilters | null {
  const { partnerId, partnerKind } = actor
  const filters: ConsignmentFilters = {
    clientId: query.ClientId,
    carrierId: query.CarrierId,
    warehouseId: query.WarehouseId,
    type: query.Type,
    status: query.Status,
    ediStatus: query.EdiStatus?.map(text => (text === 'null' ? null : Number(text))),
    dateFrom: query.DateFrom,
    dateTo: query.DateTo,
    externalId: query.ExternalId || undefined,
    consignmentNumbers: parseNumbers(query.ConsignmentNumbers ?? ''),
    searchText: query.SearchText || undefined,
    work: workFiltersOf(query),
  }
  if (filters.work !== undefined) requireOpenStatuses(filters)
  if (partnerId === null) return filters
  const asked = partnerKind === 'client' ? query.ClientId : query.CarrierId
  if (asked !== undefined && !asked.includes(partnerId)) return null
  return { ...filters, ...ofPartner(actor) }
}
