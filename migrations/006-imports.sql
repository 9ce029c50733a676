-- Consignment imports. The table is the queue: a row with a due_utc is waiting for a worker. Spec 2.3, 3.

-- Accepting an import is one insert of one row, the most frequent write of all, so this table has no foreign
-- keys and no checks: connection and user come from the access token and are never deleted, and every insert
-- would lock their rows, which all imports of an app share; checks are prepared anew for every statement, and
-- three of them cost as much as the insert without them.
create table consignment_import (
  organisation_id uuid not null,
  id uuid not null,
  identity_connection_id uuid not null,
  user_id uuid not null,
  -- of the request that it came with
  request_id text,
  idempotency_key text,
  -- the client that it is for, whatever becomes of the code: since a client's own token sent it, or since its
  -- code was first resolved
  client_id uuid,
  -- what lists show and SearchText looks through, so that neither reads requests
  client_code text not null default '',
  reference_number text,
  external_id text,
  -- 1 Pending, 2 PendingReconciliation, 3 Reconciled (the consignment exists), 4 Discarded
  status smallint not null default 1,
  -- dropped 90 days after its consignment exists
  request json,
  -- the fields of the request that the service did not know when it came, by path; null if there were none
  ignored_fields text[],
  -- [{kind, code, path, replacement}] with which it was reconciled by hand
  replacements jsonb,
  -- files that it names by a downloadUrl: 0 none, 1 to be fetched, 2 fetched or given up
  download_status smallint not null default 0,
  -- failures in a row, of fetching or of processing
  attempts smallint not null default 0,
  -- of the lease to fetch its files: raised by every claim and every result, so that a result that comes
  -- after its lease was lost is not written
  lease_number integer not null default 0,
  -- the process that fetches its files: when that dies, it is free before its lease ends
  worker_id uuid,
  -- the request that created the record it waited for, which made it try again
  retry_request_id text,
  -- only while the status is 1 or 2
  due_utc timestamptz default now(),
  received_utc timestamptz not null default now(),
  -- who discarded it, by which request, by the names of then; who reconciled it, its event says
  discarded_user_name text,
  discarded_app_name text,
  discarded_request_id text,
  discarded_utc timestamptz,
  constraint consignment_import_pkey primary key (organisation_id, id)
-- A request is written once, read once and seldom looked at again: compressing it would cost more than it
-- saves, and so would a table beside this one.
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
alter table consignment_import alter column request set storage external;
create unique index consignment_import_idempotency_key
  on consignment_import (organisation_id, identity_connection_id, idempotency_key)
    where idempotency_key is not null;
create index consignment_import_due on consignment_import (organisation_id, due_utc)
  where due_utc is not null;
create index consignment_import_download_due on consignment_import (organisation_id, due_utc)
  where download_status = 1 and due_utc is not null;
create index consignment_import_worker on consignment_import (worker_id) where worker_id is not null;
create index consignment_import_request_kept on consignment_import (received_utc)
  where status = 3 and request is not null;
-- A client's imports: their page and their count come from here alone.
create index consignment_import_client on consignment_import (organisation_id, client_id, id) include (status)
  where client_id is not null;
create index consignment_import_page on consignment_import (organisation_id, status, id)
  where status in (2, 4);

-- The import that has a key. Volatile, so that it also sees what was committed while the statement that asks
-- was waiting for it.
create function import_with_key(organisation uuid, connection uuid, key text)
  returns uuid language sql volatile as
  'select id from consignment_import
    where organisation_id = organisation and identity_connection_id = connection and idempotency_key = key';

-- What SearchText looks through. Only the waiting ones are indexed: they are what people search, and an
-- import must be cheap to accept.
create function import_search_text(client_code text, reference_number text, external_id text,
  idempotency_key text) returns text language sql immutable parallel safe
  return lower(client_code || E'\n' || coalesce(reference_number, '') || E'\n' ||
    coalesce(external_id, '') || E'\n' || coalesce(idempotency_key, ''));
create index consignment_import_search on consignment_import using gin (organisation_id,
  import_search_text(client_code, reference_number, external_id, idempotency_key) gin_trgm_ops)
  where status = 2;

-- Why an import waits: one row for each thing that did not resolve.
create table consignment_import_reason (
  organisation_id uuid not null,
  consignment_import_id uuid not null,
  ordinal integer not null,
  kind text not null,
  code text,
  path text,
  message text not null,
  constraint consignment_import_reason_pkey primary key (organisation_id, consignment_import_id, ordinal),
  constraint consignment_import_reason_import_fkey foreign key (organisation_id, consignment_import_id)
    references consignment_import
);
create index consignment_import_reason_code on consignment_import_reason (organisation_id, kind, lower(code));

-- Files named by a downloadUrl, fetched outside any transaction before the import is processed; gone once
-- they are a note's attachments.
create table consignment_import_download (
  organisation_id uuid not null,
  consignment_import_id uuid not null,
  download_url text not null,
  -- what its server says, if it does; an attachment may say something else
  file_name text,
  content_type text,
  -- what the content shows: the type of its signature, and whether it reads as text
  signature text,
  is_text boolean,
  content bytea,
  -- why it could not be fetched
  fault text,
  -- when its server was asked: of several answers the one that was asked for last is kept, whichever comes
  -- first
  asked_utc timestamptz not null,
  constraint consignment_import_download_pkey primary key (organisation_id, consignment_import_id,
    download_url),
  constraint consignment_import_download_import_fkey foreign key (organisation_id, consignment_import_id)
    references consignment_import,
  constraint consignment_import_download_fetched_or_not check ((fault is null) = (content is not null))
);
alter table consignment_import_download alter column content set storage external;

-- What a client means by a code that no record has, so that imports with the code do not wait each time.
create table code_alias (
  organisation_id uuid not null,
  id uuid not null,
  partner_id uuid not null,
  kind text not null constraint code_alias_kind check (kind in ('carrier', 'warehouse', 'product',
    'packageType', 'serviceType', 'taskType', 'shippingPort')),
  code text not null,
  replacement text not null,
  -- who created it, by the names of then
  user_name text,
  app_name text,
  created_utc timestamptz not null default now(),
  constraint code_alias_pkey primary key (organisation_id, id),
  constraint code_alias_partner_fkey foreign key (organisation_id, partner_id) references partner
);
create unique index code_alias_code_key on code_alias (organisation_id, partner_id, kind, lower(code));
-- Records with a code like that of an import.
create index product_similar_code
  on product using gin (organisation_id, partner_id, lower(code) gin_trgm_ops);
create index shipping_port_similar_code on shipping_port using gin (lower(code) gin_trgm_ops);
