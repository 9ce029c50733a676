// Finds what there is less of: imports that wait, partners, jobs, schedules and users. The newest of each are
// looked through for a text anywhere in them.

import type { Actor } from '../access/actor.ts'
import { billedName } from '../billing/schedules/invoice.ts'
import { visibleSchedules } from '../billing/schedules/schedule.ts'
import { visibleImports } from '../consignment-imports/visible-imports.ts'
import { visibleJobs } from '../jobs/job.ts'
import { empty, raw, type Sql, sql } from '../platform/database/db.ts'
import { ImportStatus } from '../vocabulary/imports.ts'
import { maxNewest, maxOfKind, type SearchKind } from './search-kind.ts'
import { hasNumber, hasText, type SearchedText } from './searched-text.ts'

// A row of an import has its whole request, so that each is a page of the table.
const maxNewestImports = 300

const importText = sql`import_search_text(i.client_code, i.reference_number, i.external_id,
  i.idempotency_key)`

/** Imports that wait or were discarded; one that became a consignment is found by its id, and as that. */
export const importSearch: SearchKind = {
  scope: 'consignment.read',
  partners: [null, 'client'],
  find(actor, searched) {
    const ofStatus = (status: number) => sql`(
      select i.* from consignment_import i
      where ${visibleImports(actor)} and i.status = ${raw(String(status))}
      order by i.id desc limit ${maxNewestImports})`
    const waiting = sql`(select i.* from (
      ${ofStatus(ImportStatus.PendingReconciliation)} union all ${ofStatus(ImportStatus.Discarded)}) i
      where ${hasText(importText, searched)} order by i.status, i.id desc limit ${maxOfKind})`
    const identified = sql`union all (
      select i.* from consignment_import i where ${visibleImports(actor)} and i.id = ${searched.id})`
    return sql`
      select i.id, null::uuid as parent_id, coalesce(i.reference_number, i.id::text) as title,
        i.client_code as subtitle, i.status
      from (${waiting} ${searched.id === null ? empty : identified}) i
      order by i.status, i.id desc limit ${maxOfKind}`
  },
}

export const partnerSearch: SearchKind = {
  scope: 'partner.read',
  partners: [null, 'client', 'carrier'],
  find: ({ organisationId, partnerId }, searched) => sql`
    select p.id, null::uuid as parent_id, p.name as title, p.code as subtitle, p.status
    from (select p.* from partner p where p.organisation_id = ${organisationId}
      ${partnerId === null ? empty : sql`and p.id = ${partnerId}`} order by p.name, p.id limit ${maxNewest}) p
    where ${hasText(sql`lower(p.code || E'\n' || p.name)`, searched)}
    order by lower(p.code) <> lower(${searched.text}), p.status <> 2, p.name, p.id limit ${maxOfKind}`,
}

/** The jobs with a number, and the newest with a text. */
const foundJobs = (actor: Actor, searched: SearchedText): Sql => {
  const { number } = searched
  const numbered =
    number &&
    sql`(
    select j.*, j.number <> ${number.number} as is_other from job j
    where ${visibleJobs(actor)} and ${hasNumber(number, sql`j.number`, sql`j.job_number`)}
    order by is_other, j.number desc limit ${maxOfKind}) union `
  return sql`${numbered ?? empty} (
    select j.*, true as is_other from (
      select j.* from job j where j.organisation_id = ${actor.organisationId}
      order by j.number desc limit ${maxNewest}) j
    where ${visibleJobs(actor)} and ${hasText(sql`j.search_text`, searched)}
    order by j.number desc limit ${maxOfKind})`
}

export const jobSearch: SearchKind = {
  scope: 'job.read',
  partners: [null, 'client'],
  find: (actor, searched) => sql`
    select j.id, null::uuid as parent_id, j.job_number as title,
      concat_ws(', ', p.name, j.reference) as subtitle, j.status
    from (select j.id, bool_and(j.is_other) as is_other
      from (${foundJobs(actor, searched)}) j group by j.id) found
    join job j on j.organisation_id = ${actor.organisationId} and j.id = found.id
    join partner p on p.organisation_id = j.organisation_id and p.id = j.client_id
    order by found.is_other, j.number desc limit ${maxOfKind}`,
}

export const scheduleSearch: SearchKind = {
  scope: 'financial.read',
  partners: [null, 'client', 'carrier'],
  find: (actor, searched) => sql`
    select s.id, null::uuid as parent_id, concat_ws(', ', ${billedName}, s.date) as title,
      concat_ws(', ', s.invoice_number, s.reference_number, s.description) as subtitle, s.status
    from (select s.* from partner_schedule s where ${visibleSchedules(actor)}
      order by s.date desc, s.id desc limit ${maxNewest}) s
    join partner p on p.organisation_id = s.organisation_id and p.id = s.partner_id
    where ${hasText(
      sql`lower(concat_ws(E'\n', s.reference_number, s.invoice_number, s.description, ${billedName}, p.code,
        p.name))`,
      searched,
    )}
    order by s.date desc, s.id desc limit ${maxOfKind}`,
}

export const userSearch: SearchKind = {
  scope: 'organisation.read',
  partners: [null],
  find: ({ organisationId }, searched) => sql`
    select u.id, null::uuid as parent_id, u.full_name as title, u.email as subtitle, null::smallint as status
    from (select u.* from app_user u where u.organisation_id = ${organisationId}
      order by u.id desc limit ${maxNewest}) u
    where ${hasText(sql`lower(u.email || E'\n' || u.full_name)`, searched)}
    order by u.disabled_utc is not null, u.full_name, u.id limit ${maxOfKind}`,
}
