import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { maxFileBytes } from '../../src/platform/http/files.ts'
import { openWorld } from '../support/harness.ts'

const { admin, stranger, as } = await openWorld()
let partners = 0

async function newPartner(): Promise<string> {
  const created = await admin.post('/v1/partners', { name: 'Kauri', code: `K${++partners}`, relationship: 1 })
  return created.body.partnerId
}

/** An image of a single colour. */
const image = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0a7' } })

const logo = (bytes: Buffer, more: object = {}) => ({
  logo: { fileName: 'Käuri.logo.png', contentType: 'image/png', content: bytes.toString('base64'), ...more },
})

async function refusalOf(body: object): Promise<[number, string[]]> {
  const answer = await admin.put(`/v1/partners/${await newPartner()}/logo`, body)
  return [answer.status, answer.body.ErrorMessages]
}

test('a logo is returned byte for byte under its own name, and a second one replaces it', async () => {
  const path = `/v1/partners/${await newPartner()}/logo`
  const png = await image(300, 100).png().toBuffer()
  const put = await admin.put(path, logo(png))
  assert.deepEqual([put.status, put.bytes.length], [200, 0])
  const { status, headers, bytes } = await admin.get(path)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'image/png')
  assert.equal(
    headers['content-disposition'],
    `attachment; filename="K?uri.logo.png"; filename*=UTF-8''K%C3%A4uri.logo.png`,
  )
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.ok(bytes.equals(png))

  const jpeg = await image(20, 20).jpeg().toBuffer()
  assert.equal(
    (await admin.put(path, logo(jpeg, { fileName: 'new.jpg', contentType: 'image/jpg' }))).status,
    200,
  )
  const second = await admin.get(path)
  assert.equal(second.headers['content-type'], 'image/jpeg')
  assert.ok(second.bytes.equals(jpeg))
})

test('the thumbnail of every kind of image fits 512 pixels in its proportions', async () => {
  const partner = `/v1/partners/${await newPartner()}`
  for (const format of ['png', 'jpeg', 'gif', 'webp', 'tiff'] as const) {
    for (const [width, height, small] of [
      [1024, 512, [512, 256]],
      [300, 1200, [128, 512]],
      [40, 30, [40, 30]],
      [3000, 2, [512, 1]],
    ] as const) {
      const bytes = await image(width, height).toFormat(format).toBuffer()
      const put = await admin.put(
        `${partner}/logo`,
        logo(bytes, { fileName: `wide.${format}`, contentType: `image/${format}` }),
      )
      assert.equal(put.status, 200, `${format} ${put.bytes}`)
      const thumbnail = await admin.get(`${partner}/logo-thumbnail`)
      assert.equal(thumbnail.headers['content-type'], 'image/png')
      assert.match(String(thumbnail.headers['content-disposition']), /filename=wide-thumbnail\.png$/)
      const shown = await sharp(thumbnail.bytes).metadata()
      assert.deepEqual([shown.format, shown.width, shown.height], ['png', ...small])
    }
  }
})

test('a rotated photograph is turned upright, and an animation shows its first frame', async () => {
  const partner = `/v1/partners/${await newPartner()}`
  const size = async (bytes: Buffer, contentType: string) => {
    assert.equal((await admin.put(`${partner}/logo`, logo(bytes, { contentType }))).status, 200)
    const { width, height, pages } = await sharp(
      (await admin.get(`${partner}/logo-thumbnail`)).bytes,
    ).metadata()
    return [width, height, pages]
  }
  const rotated = await image(1024, 512).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  assert.deepEqual(await size(rotated, 'image/jpeg'), [256, 512, undefined])
  const frames = await Promise.all(
    ['#f00', '#0f0'].map(background =>
      image(64, 32)
        .composite([{ input: { create: { width: 64, height: 32, channels: 3, background } } }])
        .png()
        .toBuffer(),
    ),
  )
  const animation = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  assert.equal((await sharp(animation).metadata()).pages, 2)
  assert.deepEqual(await size(animation, 'image/gif'), [64, 32, undefined])
})

test('a file that is no image, or not of its stated type, is refused with the reason', async () => {
  const png = await image(10, 10).png().toBuffer()
  assert.deepEqual(await refusalOf(logo(png, { contentType: 'image/jpeg' })), [
    400,
    ['logo.content is not what logo.contentType says (image/jpeg).'],
  ])
  assert.deepEqual(await refusalOf(logo(Buffer.from('%PDF-1.7'), { contentType: 'application/pdf' })), [
    400,
    ['logo.contentType must be an image type.'],
  ])
  assert.deepEqual(await refusalOf(logo(Buffer.from('<svg/>'), { contentType: 'image/svg+xml' })), [
    400,
    ['logo.contentType must be an image type.'],
  ])
  assert.deepEqual(await refusalOf(logo(png, { content: 'not base64!' })), [
    400,
    ['logo.content must be base64.'],
  ])
  assert.deepEqual(await refusalOf({}), [400, ['logo is required.']])
  assert.deepEqual(await refusalOf(logo(png, { fileName: '../x.png', content: '' })), [
    400,
    [
      'logo.fileName must not contain path separators or control characters.',
      'logo.content must not be empty.',
    ],
  ])
})

test('a truncated image, or a file that only begins like one, is refused', async () => {
  const noise = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, i) => (i * 7919) % 251))
  const whole = sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
  for (const format of ['png', 'jpeg', 'gif', 'webp', 'tiff'] as const) {
    const bytes = await whole.clone().toFormat(format).toBuffer()
    const contentType = `image/${format}`
    const fault = 'logo.content must be an image that can be read.'
    assert.deepEqual(
      await refusalOf(logo(bytes.subarray(0, bytes.length / 2), { contentType })),
      [400, [fault]],
      format,
    )
    const corrupt = Buffer.concat([bytes.subarray(0, 16), Buffer.alloc(400, 7)])
    assert.equal((await refusalOf(logo(corrupt, { contentType })))[0], 400, format)
  }
})

/** A small PNG that claims to be this large. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1 << 20))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('an image of too many pixels is refused before it is unpacked', async () => {
  const before = process.memoryUsage().rss
  assert.deepEqual(await refusalOf(logo(bomb(60_000, 60_000))), [
    400,
    ['logo.content must not have more than 25 megapixels.'],
  ])
  assert.deepEqual(await refusalOf(logo(bomb(5_001, 5_000))), [
    400,
    ['logo.content must not have more than 25 megapixels.'],
  ])
  assert.equal((await refusalOf(logo(bomb(2_000_000_000, 2_000_000_000))))[0], 400)
  assert.ok(process.memoryUsage().rss - before < 500_000_000, 'the image was decoded')
})

test('a file of more than 10 MiB is too large, one of exactly 10 MiB is judged by its content', async () => {
  const [largest, tooLarge] = [Buffer.alloc(maxFileBytes), Buffer.alloc(maxFileBytes + 1)]
  assert.deepEqual(await refusalOf(logo(tooLarge)), [413, ['logo.content must not be larger than 10 MiB.']])
  assert.equal((await refusalOf(logo(largest)))[0], 400)
})

test('a missing logo, an unknown partner and a partner of another organisation all give 404', async () => {
  const partner = `/v1/partners/${await newPartner()}`
  for (const path of [`${partner}/logo`, `${partner}/logo-thumbnail`]) {
    assert.deepEqual((await admin.get(path)).body, {
      ErrorType: 'Not Found',
      ErrorMessages: ['Logo not found.'],
    })
  }
  const png = logo(await image(10, 10).png().toBuffer())
  await admin.put(`${partner}/logo`, png)
  const other = await stranger()
  for (const path of [`${partner}/logo`, `${partner}/logo-thumbnail`]) {
    assert.deepEqual((await other.get(path)).body, {
      ErrorType: 'Not Found',
      ErrorMessages: ['Partner not found.'],
    })
  }
  assert.equal((await other.put(`${partner}/logo`, png)).status, 404)
})

test('a token of a partner reads its own logo, whatever the path says, and cannot set one', async () => {
  const [partnerId, otherId] = [await newPartner(), await newPartner()]
  const own = as(admin, { partnerId })
  const picture = logo(await image(10, 10).png().toBuffer())
  assert.equal((await own.put(`/v1/partners/${partnerId}/logo`, picture)).status, 403)
  assert.equal((await own.get(`/v1/partners/${partnerId}/logo`)).status, 404)
  assert.equal((await admin.put(`/v1/partners/${partnerId}/logo`, picture)).status, 200)
  assert.equal((await own.get(`/v1/partners/${otherId}/logo`)).status, 200)
  assert.equal((await own.get(`/v1/partners/${otherId}/logo-thumbnail`)).status, 200)
  assert.equal(
    (await as(admin, { scopes: ['partner.read'] }).put(`/v1/partners/${partnerId}/logo`, {})).status,
    403,
  )
})
