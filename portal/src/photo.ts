// Photos of phones, which are larger than a proof needs and than a driver's connection sends in a moment.

/** What is sent as it is. */
const smallBytes = 1_000_000
/** The longer edge of a photo that is made smaller: a signature and a label can still be read on it. */
const longEdge = 2_000
const quality = 0.85

/** A photo made smaller. What is small, no photo, or unknown to this browser is returned as it is. */
export async function smallerPhoto(file: File): Promise<File> {
  if (file.size <= smallBytes || !file.type.startsWith('image/')) return file
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (picture === undefined) return file
  const scale = Math.min(1, longEdge / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/jpeg', quality))
  if (blob === null || blob.size >= file.size) return file
  return new File([blob], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: blob.type })
}
