// The operating system account that the embedded PostgreSQL runs as.

/** An account of the operating system. `name` is only for messages. */
export interface SystemAccount {
  name: string
  uid: number
  gid: number
}
