from rules.core.steps import Event
def sentence(content, event, *, several=False):
    return f"{event.kind} {dict(event.data)}"
