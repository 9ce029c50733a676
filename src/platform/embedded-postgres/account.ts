// The account of the machine that the embedded PostgreSQL runs as.

/** An account of the system. `name` is for messages. */
export interface Account {
  name: string
  uid: number
  gid: number
}
