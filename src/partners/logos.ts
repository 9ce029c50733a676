// The logo of a partner and its thumbnail. Spec 2.1 (uploaded file), 4.12; decision 1.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { type Db, type Sql, sql } from '../platform/database/db.ts'
import { done, type FileResponse, fileOf } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { notFound, validationFailed } from '../platform/http/refusal.ts'
import { named, Type } from '../platform/http/schema.ts'
import { type AcceptedFile, acceptFiles, UploadedFile } from '../uploads/uploaded-file.ts'
import { createThumbnail, ImageError } from './thumbnail.ts'

export const LogoChange = named('LogoChange', Type.Object({ logo: UploadedFile }))

/**
 * Checks an uploaded logo and makes its thumbnail. Throws 413 for more than 10 MiB, and 400 with all other
 * faults.
 */
export async function checkLogo({ organisationId }: Actor, logo: UploadedFile) {
  const [image] = (await acceptFiles([['logo', logo]], { only: 'image' })) as [AcceptedFile]
  try {
    return { ...image, thumbnail: await createThumbnail(image.bytes, organisationId) }
  } catch (error) {
    if (error instanceof ImageError)
      throw validationFailed(faultAt('logo.content', error.message, 'unprocessable'))
    throw error
  }
}

/** Reads a partner's logo or its thumbnail. Throws 404 if there is no such partner or it has no logo. */
export async function readLogo(db: Db, actor: Actor, partnerId: string, columns: Sql): Promise<FileResponse> {
  const found = await db.maybe<{ fileName: string | null; contentType: string; bytes: Buffer }>(sql`
    select ${columns} from partner p
    left join partner_logo l on l.organisation_id = p.organisation_id and l.partner_id = p.id
    where p.organisation_id = ${actor.organisationId} and p.id = ${partnerId}`)
  if (found === undefined) throw notFound('Partner')
  const { fileName, contentType, bytes } = found
  if (fileName === null) throw notFound('Logo')
  return { fileName, contentType, bytes }
}

export const logos = [
  endpoint({
    get: '/v1/partners/:partnerId/logo',
    name: 'downloadPartnerLogo',
    partners: 'all',
    partnerParam: 'partnerId',
    scope: 'partner.read',
    summary: "Download a partner's logo",
    response: fileOf('image/*'),
    handle: ({ db, actor, params }) =>
      readLogo(db, actor, params.partnerId, sql`l.file_name, l.content_type, l.content as bytes`),
  }),
  endpoint({
    put: '/v1/partners/:partnerId/logo',
    name: 'setPartnerLogo',
    partners: 'none',
    partnerParam: 'partnerId',
    scope: 'partner',
    summary: "Upload a partner's logo",
    description:
      'A PNG, JPEG, GIF, WebP or TIFF image of at most 10 MiB and 25 megapixels, judged by its content. It ' +
      'replaces the present logo.',
    body: LogoChange,
    files: true,
    // The image is decoded before a connection is taken from the pool.
    oneStatement: true,
    response: done,
    async handle({ tx, actor, params, body }) {
      const { fileName, contentType, bytes, thumbnail } = await checkLogo(actor, body.logo)
      const storedCount = await tx.run(sql`
        insert into partner_logo (organisation_id, partner_id, file_name, content_type, content, thumbnail)
        select organisation_id, id, ${fileName}, ${contentType}, ${bytes}, ${thumbnail}
        from partner where organisation_id = ${actor.organisationId} and id = ${params.partnerId}
        on conflict on constraint partner_logo_pkey do update set
          file_name = excluded.file_name, content_type = excluded.content_type,
          content = excluded.content, thumbnail = excluded.thumbnail, uploaded_utc = now()`)
      if (storedCount === 0) throw notFound('Partner')
    },
  }),
]
