"""Small images from large ones as matrix products, so that every patch of a batch can have its own blur and filter."""
import torch

LANCZOS = 3
FILTERS = ("bicubic", "bilinear", "lanczos")


def weight(name, x):
    x = x.abs()
    if name == "bilinear":
        return (1 - x).clamp(min=0)
    if name == "lanczos":
        return torch.where(x < LANCZOS, torch.sinc(x) * torch.sinc(x / LANCZOS), torch.zeros_like(x))
    # The bicubic kernel with a = -0.5 (Keys, 1981), as in MATLAB, Pillow and the benchmark sets.
    near = 1.5 * x**3 - 2.5 * x**2 + 1
    far = -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2
    return torch.where(x < 1, near, torch.where(x < 2, far, torch.zeros_like(x)))


def matrix(name, side, scale, device):
    """[side / scale, side]: the filter widened by the scale, with rows that sum to 1."""
    centres = (torch.arange(side // scale, device=device, dtype=torch.float64) + 0.5) * scale
    places = torch.arange(side, device=device, dtype=torch.float64) + 0.5
    rows = weight(name, (places - centres[:, None]) / scale)
    return (rows / rows.sum(1, keepdim=True)).float()


def blur_matrices(sigmas, side):
    """[n, side, side]: Gaussian blurs along one axis, standard deviations in pixels."""
    places = torch.arange(side, device=sigmas.device)
    rows = torch.exp(-0.5 * ((places - places[:, None]) / sigmas.clamp(min=0.05)[:, None, None]) ** 2)
    return rows / rows.sum(2, keepdim=True)


def reduced(large, matrices):
    """[n, c, side, side] times [side / scale, side], or times one matrix per image: along columns, then along rows."""
    if matrices.ndim == 3:
        matrices = matrices[:, None]
    return matrices @ large @ matrices.transpose(-1, -2)


def to_levels(pictures):
    return pictures.round().clamp(0, 255)
