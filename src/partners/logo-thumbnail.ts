// The thumbnail of a partner's logo. Spec 4.12.

import { endpoint } from '../access/endpoint.ts'
import { sql } from '../platform/database/db.ts'
import { fileOf } from '../platform/http/endpoint.ts'
import { readLogo } from './logos.ts'

export const logoThumbnail = [
  endpoint({
    get: '/v1/partners/:partnerId/logo-thumbnail',
    name: 'downloadPartnerLogoThumbnail',
    partners: 'all',
    partnerParam: 'partnerId',
    scope: 'partner.read',
    summary: "Download the thumbnail of a partner's logo",
    description:
      'A PNG of at most 512 pixels on either side, in the proportions of the logo and never enlarged.',
    response: fileOf('image/*'),
    handle: ({ db, actor, params }) =>
      readLogo(
        db,
        actor,
        params.partnerId,
        sql`regexp_replace(l.file_name, '(.)[.][^.]*$', '\\1') || '-thumbnail.png' as file_name,
          'image/png' as content_type, l.thumbnail as bytes`,
      ),
  }),
]
