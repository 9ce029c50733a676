// The ediStatus of a consignment for the calling connection. Decisions 2, 4.

import { endpoint } from '../access/endpoint.ts'
import { changed } from '../platform/http/endpoint.ts'
import { named, nullable, optional, Text, Type } from '../platform/http/schema.ts'
import { lockConsignment } from './consignment.ts'
import { setEdiStatus } from './edi-status.ts'

const EdiDetail = named(
  'ConsignmentEdiDetail',
  Type.Object({
    ediStatus: nullable(
      Type.Integer({ minimum: 10, maximum: 2147483647, description: '10 or more; null for not set' }),
    ),
    message: optional(Text),
  }),
)

export const ediDetail = [
  endpoint({
    post: '/v1/consignments/:consignmentId/edi-detail',
    name: 'setEdiDetail',
    partners: 'all',
    scope: 'consignment',
    extension: true,
    summary: "Set the calling connection's ediStatus of a consignment",
    body: EdiDetail,
    response: changed,
    async handle({ tx, actor, params, body }) {
      const { id } = await lockConsignment(tx, actor, params.consignmentId)
      return setEdiStatus(tx, actor, id, body.ediStatus, body.message || null)
    },
  }),
]
