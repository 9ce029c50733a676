// Proofs of delivery: who accepted the goods, when and where, and a file as evidence. Spec 2.7, 4.8.

import { v7 as uuidv7 } from 'uuid'
import { endpoint } from '../access/endpoint.ts'
import { sql } from '../platform/database/db.ts'
import { givenFields, insertInto } from '../platform/database/write.ts'
import { type FileResponse, fileOf, json } from '../platform/http/endpoint.ts'
import { notFound, unprocessable } from '../platform/http/refusal.ts'
import {
  allNullable,
  allOptional,
  HttpUrl,
  named,
  type Static,
  Text,
  Type,
  toStoredUrl,
  UtcTime,
  Uuid,
} from '../platform/http/schema.ts'
import { parseInstant } from '../platform/local-time.ts'
import { acceptFiles, UploadedFile } from '../uploads/uploaded-file.ts'
import { EventType } from '../vocabulary/events.ts'
import { changeConsignment, requireRoomForRecord } from './change-consignment.ts'
import { visibleConsignments } from './consignment.ts'

const Latitude = Type.Number({ minimum: -90, maximum: 90 })
const Longitude = Type.Number({ minimum: -180, maximum: 180 })

/**
 * A proof of delivery. Nothing sets deliveredByName and vehicleName yet, because the service has no drivers'
 * rounds.
 */
const Pod = named(
  'ConsignmentPod',
  Type.Object({
    id: Uuid,
    eventUtc: UtcTime,
    ...allNullable({
      deliveredByName: Type.String(),
      vehicleName: Type.String(),
      signatoryName: Type.String(),
      signatureDescription: Type.String(),
      latitude: Type.Number(),
      longitude: Type.Number(),
      externalUrl: Type.String(),
    }),
  }),
)

const NewPod = named(
  'NewConsignmentPod',
  Type.Object(
    allOptional({
      eventUtc: UtcTime,
      signatoryName: Type.String({ maxLength: 200 }),
      description: Text,
      attachmentFile: UploadedFile,
      externalUrl: HttpUrl,
      latitude: Latitude,
      longitude: Longitude,
    }),
  ),
)

/** Tables for a query of a proof `r` of a consignment `c`. */
const podTables = sql`consignment c
  join consignment_pod r on r.organisation_id = c.organisation_id and r.consignment_id = c.id`

export const pods = [
  endpoint({
    get: '/v1/consignments/:consignmentId/pods/:consignmentPodId',
    name: 'getPod',
    partners: 'all',
    scope: 'consignment.read',
    summary: 'Read a proof of delivery',
    response: json(Pod),
    async handle({ db, actor, params }) {
      const pod = await db.maybe<Static<typeof Pod>>(sql`
        select r.id, r.event_utc, r.delivered_by_name, r.vehicle_name, r.signatory_name,
          r.signature_description, r.latitude, r.longitude, r.external_url
        from ${podTables} where ${visibleConsignments(actor)} and c.id = ${params.consignmentId}
          and r.id = ${params.consignmentPodId}`)
      if (pod === undefined) throw notFound('POD')
      return pod
    },
  }),
  endpoint({
    get: '/v1/consignments/:consignmentId/pods/:consignmentPodId/attachment-file',
    name: 'downloadPodAttachment',
    partners: 'all',
    scope: 'consignment.read',
    summary: 'Download the file of a proof of delivery',
    response: fileOf('application/*', 'image/*', 'text/*'),
    async handle({ db, actor, params }) {
      const pod = await db.maybe<FileResponse | { fileName: null }>(sql`
        select r.file_name, r.content_type, r.content as bytes
        from ${podTables} where ${visibleConsignments(actor)} and c.id = ${params.consignmentId}
          and r.id = ${params.consignmentPodId}`)
      if (pod === undefined) throw notFound('POD')
      if (pod.fileName === null) throw notFound('Attachment file')
      return pod
    },
  }),
  endpoint({
    post: '/v1/consignments/:consignmentId/pods',
    name: 'createPod',
    partners: 'carriers',
    scope: 'consignment',
    summary: 'Add a proof of delivery to a consignment',
    description:
      'eventUtc is the current time by default. The response is the id of the proof as a JSON string.',
    body: NewPod,
    bodyOptional: true,
    files: true,
    refuses: [422],
    response: json(Uuid),
    async handle(request) {
      const { tx, body } = request
      const [attachedFile] = await acceptFiles(
        body.attachmentFile ? [['attachmentFile', body.attachmentFile]] : [],
        {
          badContent: unprocessable,
        },
      )
      return changeConsignment(request, async (consignment, raise) => {
        await requireRoomForRecord(tx, consignment, 'pod')
        const { organisationId, id: consignmentId } = consignment
        const { eventUtc } = await tx.row<{ eventUtc: string }>(sql`
          select coalesce(${body.eventUtc ? parseInstant(body.eventUtc) : null}::timestamptz, now())
            as event_utc`)
        const pod = {
          id: uuidv7(),
          eventUtc,
          ...givenFields(body, ['signatoryName', 'latitude', 'longitude']),
          ...(body.externalUrl ? { externalUrl: toStoredUrl(body.externalUrl) } : {}),
          ...(body.description ? { signatureDescription: body.description } : {}),
        }
        const file = {
          fileName: attachedFile?.fileName,
          contentType: attachedFile?.contentType,
          content: attachedFile?.bytes,
        }
        await tx.run(insertInto('consignment_pod', { organisationId, consignmentId, ...pod, ...file }))
        const { content, ...facts } = file
        raise(EventType.ConsignmentPodCreated, [{ field: 'pods', from: null, to: { ...pod, ...facts } }])
        return pod.id
      })
    },
  }),
]
