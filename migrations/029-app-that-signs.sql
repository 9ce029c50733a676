-- The app whose secret signs the deliveries of a subscription and whose scopes bound it; null: the app of the
-- connection that made it. The portal names one, because nobody has the secret of a built-in app.
alter table webhook_subscription
  add column custom_app_id uuid,
  add constraint webhook_subscription_app_fkey foreign key (organisation_id, custom_app_id)
    references custom_app not valid;
