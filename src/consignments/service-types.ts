// The service types of a consignment. Spec 2.6, 4.7.

import { endpoint } from '../access/endpoint.ts'
import { sql } from '../platform/database/db.ts'
import { changed, done, json } from '../platform/http/endpoint.ts'
import { named, Type, Uuid } from '../platform/http/schema.ts'
import { EventType } from '../vocabulary/events.ts'
import { changeRecords } from './change-consignment.ts'
import { draftOrPendingRule } from './client-changes.ts'
import { assignTypes, type EntryKind, noDuplicateIds, readEntries, removeType } from './type-entries.ts'

const kind: EntryKind = {
  types: 'service_type',
  idName: 'serviceTypeId',
  entries: 'consignment_service_type',
  noun: 'Service type',
  collection: 'serviceTypes',
  hasValue: false,
  event: EventType.ConsignmentServiceTypeUpdated,
}

const ServiceTypes = named(
  'ConsignmentServiceTypes',
  Type.Object({
    serviceTypes: Type.Array(Type.Object({ id: Uuid, code: Type.String(), name: Type.String() })),
  }),
)
type ServiceTypes = { id: string; code: string; name: string }[]

const ServiceTypesChange = named(
  'ConsignmentServiceTypesChange',
  Type.Object({ serviceTypeIds: Type.Array(Uuid, { maxItems: 1_000, rule: noDuplicateIds(id => id) }) }),
)

export const serviceTypes = [
  endpoint({
    get: '/v1/consignments/:consignmentId/service-types',
    name: 'listConsignmentServiceTypes',
    partners: 'all',
    scope: 'consignment.read',
    summary: "List a consignment's service types",
    response: json(ServiceTypes),
    async handle({ db, actor, params }) {
      const fields = sql`'id', t.id, 'code', t.code, 'name', t.name`
      return { serviceTypes: await readEntries<ServiceTypes>(db, actor, params.consignmentId, kind, fields) }
    },
  }),
  endpoint({
    put: '/v1/consignments/:consignmentId/service-types',
    name: 'replaceConsignmentServiceTypes',
    partners: 'clients',
    scope: 'consignment',
    summary: "Replace a consignment's service types",
    description:
      'Types that the request leaves out are removed. Readers see either the old or the new set. ' +
      draftOrPendingRule,
    body: ServiceTypesChange,
    response: changed,
    handle: request =>
      changeRecords(request, kind.event, consignment => {
        const requestedTypes = new Map(request.body.serviceTypeIds.map(id => [id, null]))
        return assignTypes(request.tx, consignment, kind, requestedTypes, 'replace')
      }),
  }),
  endpoint({
    post: '/v1/consignments/:consignmentId/service-types/:serviceTypeId',
    name: 'addConsignmentServiceType',
    partners: 'clients',
    scope: 'consignment',
    summary: 'Add a service type to a consignment',
    description: draftOrPendingRule,
    response: done,
    async handle(request) {
      await changeRecords(request, kind.event, consignment =>
        assignTypes(request.tx, consignment, kind, new Map([[request.params.serviceTypeId, null]]), 'add'),
      )
    },
  }),
  endpoint({
    delete: '/v1/consignments/:consignmentId/service-types/:serviceTypeId',
    name: 'removeConsignmentServiceType',
    partners: 'clients',
    scope: 'consignment',
    summary: 'Remove a service type from a consignment',
    description: draftOrPendingRule,
    response: done,
    async handle(request) {
      await changeRecords(request, kind.event, consignment =>
        removeType(request.tx, consignment, kind, request.params.serviceTypeId),
      )
    },
  }),
]
