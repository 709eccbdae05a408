"""The logbook to an MQTT broker: every record in its order, none lost."""
