// The organisation's logo, which is printed on its papers. Decisions 3 and 8.

import { endpoint } from '../access/endpoint.ts'
import { checkLogo, LogoChange } from '../partners/logos.ts'
import { sql } from '../platform/database/db.ts'
import { done, type FileResponse, fileOf } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'

export const organisationLogo = [
  endpoint({
    get: '/v1/organisation/logo',
    name: 'downloadOrganisationLogo',
    partners: 'none',
    scope: 'organisation.read',
    extension: true,
    summary: "Download the organisation's logo",
    response: fileOf('image/*'),
    refuses: [404],
    async handle({ db, actor }) {
      const logo = await db.maybe<FileResponse>(sql`
        select file_name, content_type, content as bytes from organisation_logo
        where organisation_id = ${actor.organisationId}`)
      if (logo === undefined) throw notFound('Logo')
      return logo
    },
  }),
  endpoint({
    put: '/v1/organisation/logo',
    name: 'setOrganisationLogo',
    partners: 'none',
    scope: 'organisation',
    extension: true,
    summary: "Upload the organisation's logo, which is printed on its papers",
    description:
      'A PNG, JPEG, GIF, WebP or TIFF image of at most 10 MiB and 25 megapixels; its type is detected from ' +
      'its content. It replaces the previous logo.',
    body: LogoChange,
    files: true,
    // The image is checked before a database connection is taken.
    oneStatement: true,
    response: done,
    async handle({ tx, actor, body }) {
      const { fileName, contentType, bytes, thumbnail } = await checkLogo(actor, body.logo)
      await tx.run(sql`
        insert into organisation_logo (organisation_id, file_name, content_type, content, thumbnail)
        values (${actor.organisationId}, ${fileName}, ${contentType}, ${bytes}, ${thumbnail})
        on conflict on constraint organisation_logo_pkey do update set
          file_name = excluded.file_name, content_type = excluded.content_type,
          content = excluded.content, thumbnail = excluded.thumbnail, uploaded_utc = now()`)
    },
  }),
]
