// What each message of an error body is about, for programs: the field and a code. Read from the sentence,
// which names its field first.

/** The codes of error details, with what each means. */
export const errorCodes = {
  required: 'Something that must be given is missing.',
  type: 'The value is of another JSON type.',
  format: 'The text does not have the form that is asked for, such as a uuid or a date.',
  range: 'The number is too large, too small, or has too many digits.',
  length: 'The text or list is too short or too long.',
  enum: 'The value is none of those that are allowed.',
  pattern: 'The text has characters or a form that is not allowed.',
  invalid: 'The value is wrong in another way, which the message tells.',
  unknown_reference: 'The value names a record that there is not.',
  duplicate: 'The same is there already, or was given twice.',
  conflict: 'It contradicts a record that is there.',
  state: 'The record is in a state that does not allow it.',
  not_found: 'There is no such address or record.',
  method_not_allowed: 'The address is right and does not answer to this method.',
  unauthorised: 'The access token is missing, expired or not valid.',
  forbidden: 'The token does not allow it.',
  rate_limited: 'Too many requests: send it again later.',
  too_large: 'The body, a file or the head of the request is too large.',
  unsupported_type: 'The body is not JSON.',
  unprocessable: 'The content of a file cannot be processed.',
  precondition: 'The record is no longer the one that If-Match names.',
  unavailable: 'Not possible at this moment: send it again later.',
  internal: 'A defect of the service.',
} as const

export type ErrorCode = keyof typeof errorCodes

/** One message of an error body. */
export interface ErrorDetail {
  /** the field as the message names it ("products[2].items[0].quantity"); null where it is about none */
  path: string | null
  code: ErrorCode
  message: string
}

// Parameters of queries have two humps (PageIndex) or stand before "must", so that "Consignment not found."
// names none.
const field = /^([a-z]\w*|[A-Z]\w*(?= (?:must|is required)\b))((?:\.\w+|\[\d+\])*)(?= [a-z])/

const ofFields: readonly (readonly [sentence: RegExp, code: ErrorCode])[] = [
  [/ (?:is|are) required\b|^The request needs a JSON body/, 'required'],
  [
    / must be given once\b| must not name the same entry twice|\b(?:exists already|twice|already has)\b/,
    'duplicate',
  ],
  [/ has an? .* already\.| is taken\b/, 'duplicate'],
  [/ must be one of /, 'enum'],
  [/ must be (?:a string|a number|a whole number|true or false|an object|an array)(?: or .*)?\.$/, 'type'],
  [/ must be (?:a uuid|an email address|a date in|an ISO 8601|an absolute URL|an IANA|base64)/, 'format'],
  [
    / must be (?:-?[\d,.]+ or (?:more|less)|(?:more|less) than )| decimal places?\.$| digits or fewer/,
    'range',
  ],
  [
    / must not be (?:empty|blank|longer than)| must have at (?:least|most) | more than [\d,]+ fields/,
    'length',
  ],
  [/ has a form that is not allowed| must not contain | not valid UTF-8| not valid JSON/, 'pattern'],
  [/\b(?:names?|name) no | does not name | do not name |\b(?:is|are) unknown\b/, 'unknown_reference'],
]

const ofTypes: Readonly<Record<string, ErrorCode>> = {
  'Validation Failed': 'invalid',
  'Verification Failed': 'state',
  Unauthorised: 'unauthorised',
  Forbidden: 'forbidden',
  'Not Found': 'not_found',
  'Method Not Allowed': 'method_not_allowed',
  Conflict: 'conflict',
  'Precondition Failed': 'precondition',
  'Payload Too Large': 'too_large',
  Unprocessable: 'unprocessable',
  RateLimitExceeded: 'rate_limited',
  Unavailable: 'unavailable',
  'Internal Error': 'internal',
}
const ofStatuses: Readonly<Record<number, ErrorCode>> = {
  408: 'unavailable',
  413: 'too_large',
  415: 'unsupported_type',
  431: 'too_large',
}

/** The field that a sentence begins with, as it is named there; null where it begins with none. */
const pathOf = (message: string): string | null => field.exec(message)?.[0] ?? null

function codeOf(status: number, type: string, message: string): ErrorCode {
  const general = ofStatuses[status] ?? ofTypes[type] ?? 'invalid'
  const isAboutFields = general === 'invalid' || general === 'state' || general === 'conflict'
  if (!isAboutFields) return general
  return ofFields.find(([sentence]) => sentence.test(message))?.[1] ?? general
}

/** The details of an error body, one for each of its messages. */
export const errorDetails = (status: number, type: string, messages: readonly string[]): ErrorDetail[] =>
  messages.map(message => ({ path: pathOf(message), code: codeOf(status, type, message), message }))

const errorDetail = {
  type: 'object',
  required: ['path', 'code', 'message'],
  properties: {
    path: {
      type: ['string', 'null'],
      description: 'The field as the message names it.',
      examples: ['products[2].items[0].quantity'],
    },
    code: {
      type: 'string',
      enum: Object.keys(errorCodes),
      description: Object.entries(errorCodes)
        .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
        .join(' '),
    },
    message: { type: 'string' },
  },
}

/** What the API document says of the error body. */
export const errorSchema = {
  type: 'object',
  required: ['ErrorType', 'ErrorMessages', 'ErrorDetails', 'RequestId'],
  properties: {
    ErrorType: { type: 'string', examples: ['Validation Failed'] },
    ErrorMessages: { type: 'array', items: { type: 'string' } },
    ErrorDetails: {
      type: 'array',
      description: 'One for each message, in their order.',
      items: errorDetail,
    },
    RequestId: { type: 'string', description: 'The same as the header X-Request-Id.' },
  },
}
