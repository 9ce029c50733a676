// What each connection says of a consignment: whether its export worked. ediStatus elsewhere is the caller's
// own, so people would never see that an app has failed. Decisions 2, 4.

import { endpoint } from '../access/endpoint.ts'
import { sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'
import { named, nullable, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'

const ConnectionStatus = named(
  'ConsignmentConnectionStatus',
  Type.Object({
    identityConnectionId: Uuid,
    appName: Type.String(),
    userFullName: Type.String({ description: 'Whom the app acts for.' }),
    ediStatus: nullable(
      Type.Integer({ description: '1 Success, 2 Failed, 10 and more the own ones of the connection.' }),
    ),
    message: nullable(Type.String()),
    updatedUtc: UtcTime,
  }),
)

export const ediStatuses = [
  endpoint({
    get: '/v1/consignments/:consignmentId/edi-statuses',
    name: 'listConsignmentEdiStatuses',
    partners: 'none',
    scope: 'consignment.read',
    extension: true,
    summary: 'List what connections say of a consignment',
    description: 'The latest first. Connections that have set neither ediStatus nor a message are left out.',
    response: json(Type.Array(ConnectionStatus)),
    async handle({ db, actor: { organisationId }, params }) {
      const rows = await db.rows<Static<typeof ConnectionStatus> & { isSet: boolean }>(sql`
        select e.identity_connection_id, a.name as app_name, u.full_name as user_full_name, e.edi_status,
          e.message, e.modified_utc as updated_utc, e.consignment_id is not null as is_set
        from consignment c
        left join consignment_edi e on e.organisation_id = c.organisation_id and e.consignment_id = c.id
          and (e.edi_status is not null or e.message is not null)
        left join identity_connection i on i.organisation_id = e.organisation_id
          and i.id = e.identity_connection_id
        left join custom_app a on a.organisation_id = i.organisation_id and a.id = i.custom_app_id
        left join app_user u on u.organisation_id = i.organisation_id and u.id = i.user_id
        where c.organisation_id = ${organisationId} and c.id = ${params.consignmentId}
        order by e.modified_utc desc, e.identity_connection_id`)
      if (rows.length === 0) throw notFound('Consignment')
      return rows.filter(({ isSet }) => isSet).map(({ isSet: _, ...row }) => row)
    },
  }),
]
