"""The door for browsers: a gateway's request for a page in, the page out. It holds no data and asks AWS for nothing."""

from pathlib import Path

from fermata.domain.access import Authorization
from fermata.settings import read
from fermata.web.door import create

# No bootstrap and no Powertools: both load botocore, which takes longer than all the rest of this door. Lambda itself traces it.
handler = create(Path(__file__).parent / "assets", Authorization(read().api_authorization))
