-- How people like to see the browser apps: own views of lists, columns. The apps alone know what is in them.
create table app_user_preferences (
  organisation_id uuid not null,
  user_id uuid not null,
  value jsonb not null constraint app_user_preferences_value_check check (jsonb_typeof(value) = 'object'),
  constraint app_user_preferences_pkey primary key (organisation_id, user_id),
  constraint app_user_preferences_user_fkey foreign key (organisation_id, user_id) references app_user
);
